// Assembles the package: node build.mjs OUT BUILD. BUILD has libholdfast.so.0 and holdfast. OUT gets the files that npm
// packs: the addon built against Node's headers, the library beside it, and types made from the table of operations.
// Needs g++, but no npm packages.
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const [out, build] = process.argv.slice(2);
if (!out || !build) {
  console.error('usage: node build.mjs OUT BUILD');
  process.exit(2);
}
const library = path.join(build, 'libholdfast.so.0');
const include = path.join(here, '../../include');
const headers = [process.env.NODE_INCLUDE, '/usr/include/node',
  path.join(path.dirname(realpathSync(process.execPath)), '../include/node')]
  .find((at) => at && existsSync(path.join(at, 'node_api.h')));
if (!headers) throw new Error('node_api.h is not there: install libnode-dev, or set NODE_INCLUDE');

const target = path.join(out, 'native');
mkdirSync(target, { recursive: true });
for (const part of ['lib', 'adapters', 'README.md'])
  cpSync(path.join(here, part), path.join(out, part), { recursive: true });
// The addon runs on machines like this one, so npm refuses to install the package on others.
const manifest = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
writeFileSync(path.join(out, 'package.json'), JSON.stringify({ ...manifest, os: [process.platform], cpu: [process.arch] }, null, 2) + '\n');
const table = execFileSync(path.join(build, 'holdfast'), ['api', '--json'], { maxBuffer: 1 << 28 });
writeFileSync(path.join(out, 'lib/operations.d.ts'),
  execFileSync(process.execPath, [path.join(here, 'tools/types.mjs')], { input: table, maxBuffer: 1 << 28 }));
execFileSync('strip', ['--strip-unneeded', '-o', path.join(target, 'libholdfast.so.0'), realpathSync(library)]);
// Include the libraries that libholdfast needs and that are not on every machine.
const everywhere = /^(ld-linux|linux-vdso|lib(c|m|stdc\+\+|gcc_s|pthread|dl|rt)\.so)/;
for (const [, name, at] of execFileSync('ldd', [library], { encoding: 'utf8' }).matchAll(/^\s*(\S+) => (\/\S+)/gm))
  if (!everywhere.test(name)) cpSync(realpathSync(at), path.join(target, name));
execFileSync(process.env.CXX || 'g++', ['-std=c++20', '-O2', '-g0', '-Wall', '-Wextra', '-fPIC', '-shared', '-fvisibility=hidden',
  '-DNAPI_VERSION=8', '-DNODE_GYP_MODULE_NAME=holdfast', '-I', headers, '-I', include, path.join(here, 'src/addon.cc'),
  path.join(target, 'libholdfast.so.0'), '-Wl,--disable-new-dtags,-rpath,$ORIGIN', '-o', path.join(target, 'holdfast.node')], { stdio: 'inherit' });

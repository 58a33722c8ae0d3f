'use strict';
// Throws if JSON would not preserve the value (a Date, a Map, bytes, a cycle). Call this before writing anything.
function checkPlain(value, where = 'value', above = []) {
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return;
    throw new TypeError(`${where} is ${value}, which JSON cannot hold`);
  }
  if (typeof value !== 'object') throw new TypeError(`${where} is a ${typeof value}, which JSON cannot hold`);
  if (above.includes(value)) throw new TypeError(`${where} contains itself`);
  const prototype = Object.getPrototypeOf(value);
  const plain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!plain || typeof value.toJSON === 'function')
    throw new TypeError(`${where} is a ${value.constructor?.name ?? 'special object'}, which JSON would not give back`);
  above.push(value);
  if (Array.isArray(value)) value.forEach((one, at) => checkPlain(one, `${where}[${at}]`, above));
  else for (const [key, one] of Object.entries(value)) checkPlain(one, `${where}.${key}`, above);
  above.pop();
}

module.exports = { checkPlain };

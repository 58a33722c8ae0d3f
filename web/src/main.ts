// The viewer of `holdfast serve`.
import { App } from "./app";
import { signIn } from "./sign_in";
import { applyTheme } from "./settings";

applyTheme();
void signIn().then(() => new App(document.body));

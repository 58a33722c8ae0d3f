// The frame of the page: the bar, the list, and the view that the address names.
import { makeBanner } from "./banner";
import { button, fill, h, icon } from "./dom";
import { openHelp } from "./help";
import { listenToKeys } from "./keys";
import { ListView } from "./list_view";
import { liveRegion } from "./live";
import { plainClick, Router, type Route, type View } from "./router";
import { SearchView } from "./search_view";
import { showSecrets } from "./secrets";
import { SessionView } from "./session_view";
import { UsageView } from "./usage_view";

export class App {
  private readonly router = new Router();
  private readonly list: ListView;
  private readonly search: SearchView;
  private readonly usage: UsageView;
  private session: SessionView | null = null;
  private opened = "";
  private readonly content = h("main", { className: "content", id: "content", tabindex: -1 });
  private readonly frame: HTMLElement;
  private readonly links: [View, HTMLAnchorElement][];

  constructor(body: HTMLElement) {
    this.list = new ListView(this.router);
    this.search = new SearchView(this.router);
    this.usage = new UsageView(this.router);
    this.links = [["sessions", this.link("sessions", "Sessions")], ["search", this.link("search", "Search")], ["usage", this.link("usage", "Usage")]];
    this.frame = h("div", { className: "frame" }, this.list.element, this.content);
    fill(body,
      h("a", { className: "skip", href: "#content", onclick: (event: Event) => { event.preventDefault(); this.content.focus(); } }, "Skip to content"),
      h("header", { className: "bar" },
        h("a", { className: "brand", href: "/", onclick: (event: Event) => this.home(event) }, h("img", { src: "/favicon.svg", alt: "", width: 20, height: 20 }), "Holdfast"),
        h("nav", { "aria-label": "Pages" }, this.links.map(([, link]) => link)),
        h("span", { className: "spring" }),
        button([icon("search"), h("span", { className: "wide-only" }, "Search everything"), h("kbd", { "aria-hidden": "true" }, "Ctrl K")], () => this.openSearch(), { className: "button search-button" }),
        button("?", openHelp, { className: "button quiet", "aria-label": "Help, keys and settings" })),
      makeBanner(), this.frame, liveRegion());
    this.router.onChange((route, before) => this.show(route, before));
    this.show(this.router.route, null);
    listenToKeys({
      step: (by) => (this.session ? void this.session.step(by) : this.router.route.view === "search" ? this.search.move(by) : this.list.move(by)),
      prompt: (by) => void this.session?.stepPrompt(by),
      session: (by) => this.list.step(by),
      end: (first) => (this.session ? void this.session.end(first) : this.list.end(first)),
      find: () => (this.session ? this.session.find() : this.openSearch()),
      search: () => this.openSearch(),
      layout: () => this.session?.nextLayout(),
      order: () => this.session?.turn(),
      fold: () => this.session?.fold(),
      star: () => this.session?.star(),
      exportIt: () => this.session?.commands(),
      prompts: () => this.session?.openNow(),
      help: openHelp,
      back: () => this.router.route.session && this.router.go({ session: "", at: "", message: null, branch: "", find: "" }),
    });
  }

  private link(view: View, word: string): HTMLAnchorElement {
    const target: Partial<Route> = { view, session: "", at: "", message: null, branch: "", find: "" };
    return h("a", {
      href: this.router.href(target),
      onclick: (event: Event) => {
        if (!plainClick(event as MouseEvent)) return;
        event.preventDefault();
        this.router.go(target);
        if (view === "search") this.search.focus();
      },
    }, word);
  }

  private home(event: Event): void {
    if (!plainClick(event as MouseEvent)) return;
    event.preventDefault();
    this.router.go({ view: "sessions", session: "", at: "", message: null, branch: "", find: "" });
  }

  private openSearch(): void {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    this.router.go({ view: "search", session: "", at: "", message: null, branch: "", find: "" });
    this.search.focus();
  }

  private openSession(route: Route): void {
    this.session = new SessionView(route.session, route.at, this.router, {
      changed: () => this.list.refresh(),
      reopen: () => {
        this.session?.close();
        this.openSession(this.router.route);
      },
    });
    fill(this.content, this.session.element);
  }

  private show(route: Route, before: Route | null): void {
    for (const [view, link] of this.links) {
      if (view === route.view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      link.href = this.router.href({ view, session: "", at: "", message: null, branch: "", find: "" });
    }
    const opened = route.view === "sessions" && route.session ? `${route.session} ${route.at} ${route.branch}` : "";
    this.frame.dataset["view"] = route.view === "sessions" ? (route.session ? "session" : "list") : route.view;
    if (opened && opened === this.opened && before) return this.session?.changed(route, before);
    this.session?.close();
    this.session = null;
    this.opened = opened;
    showSecrets(false);
    if (opened) this.openSession(route);
    else if (route.view === "search") {
      if (!this.search.element.isConnected) fill(this.content, this.search.element);
      this.search.show(route);
    } else if (route.view === "usage") {
      if (!this.usage.element.isConnected) fill(this.content, this.usage.element);
      this.usage.show(route);
    } else {
      document.title = "Sessions · Holdfast";
      fill(this.content, h("div", { className: "welcome" }, h("h1", {}, "Sessions of your coding agents"), h("p", {}, "Choose one from the list, or search all of them."), h("p", { className: "faint" }, "Press ", h("kbd", {}, "?"), " for keyboard shortcuts.")));
    }
  }
}

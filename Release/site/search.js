/* Chromium starts no workers for pages that are read as files, and the search of the site is one. This runs its script
 * in a frame instead. mkdocs-material would load such a piece from the network. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = frame.contentWindow;
      // The frame's own postMessage would post to itself.
      inner.postMessage = (data) => this.answer(data);
      inner.importScripts = (...addresses) =>
        addresses.reduce((before, next) => before.then(() => load(inner, next)), Promise.resolve());
      inner.__index = window.__index;
      this.inner = inner;
      this.ready = load(inner, address);
    }

    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data })));
    }

    answer(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }

    terminate() {
      this.inner.frameElement.remove();
    }
  };

  function load(inner, address) {
    return new Promise((done, failed) => {
      const script = inner.document.createElement("script");
      script.src = new URL(address, document.baseURI);
      script.onload = done;
      script.onerror = failed;
      inner.document.body.append(script);
    });
  }
}

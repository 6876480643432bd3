#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at a page with Debian's chromium, headless, by its DevTools protocol over a pipe.

  browser.py PAGE [STEP ...]

Steps, in their order:
  width=PIXELS, height=PIXELS, dark, light, print, reload
  eval=EXPRESSION    prints its value as JSON on a line of its own; promises are waited for
  key=NAME           a key as a user presses it: Tab, Enter, Escape, ArrowDown, a, ...
  click=SELECTOR     a click of the mouse on the middle of the first such element
  drag=SELECTOR,FROM,TO   with the mouse, at these shares of its width
  shot=FILE          a picture of what is on the screen; whole=FILE: of the whole page
  pdf=FILE           the page as it would be printed

Fails when the page's scripts fail, when anything is written to its console as an error or a
warning, and when the page asks for anything but itself.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

KEYS = {"Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "Escape": ("Escape", 27, ""), "Home": ("Home", 36, ""),
        "End": ("End", 35, ""), "Backspace": ("Backspace", 8, ""), "ArrowLeft": ("ArrowLeft", 37, ""),
        "ArrowUp": ("ArrowUp", 38, ""), "ArrowRight": ("ArrowRight", 39, ""), "ArrowDown": ("ArrowDown", 40, ""),
        "Space": (" ", 32, " ")}


class Browser:
    def __init__(self, home):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def place():
            # The protocol's descriptors are 3 and 4; the pipes may be there already.
            inner, outer = os.dup2(to_read, 103), os.dup2(from_write, 104)
            os.dup2(inner, 3)
            os.dup2(outer, 4)

        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
        self.log = open(os.path.join(home, "chromium.log"), "wb")
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe", f"--user-data-dir={home}/profile",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment, preexec_fn=place, close_fds=False)
        os.close(to_read)
        os.close(from_write)
        self.input = os.fdopen(to_write, "wb", buffering=0)
        self.output = os.fdopen(from_read, "rb")
        self.number = 0
        self.session = None
        self.wrong = []
        self.loaded = False

    def read(self):
        text = bytearray()
        while (byte := self.output.read(1)) not in (b"\0", b""):
            text += byte
        if not text:
            sys.exit("chromium ended: " + open(self.log.name, errors="replace").read()[-2000:])
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        method, about = message.get("method", ""), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.wrong.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.wrong.append(f"console: {about['args']}")
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.wrong.append(f"log: {about['entry']['text']}")
        elif method == "Network.requestWillBeSent" and not about["request"]["url"].startswith(("file:", "data:")):
            self.wrong.append(f"asks for {about['request']['url']}")
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.input.write(json.dumps(message).encode() + b"\0")
        while (answer := self.read()).get("id") != self.number:
            pass
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, page):
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.url = pathlib.Path(page).resolve().as_uri()

    def load(self):
        self.loaded = False
        self.call("Page.navigate", url=self.url)
        while not self.loaded:
            self.read()
        if self.evaluate("document.documentElement.dataset.ready") != "true":
            self.wrong.append("the page did not become ready")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            sys.exit(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def settle(self):
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def key(self, name):
        key, code, text = KEYS.get(name, (name, ord(name[0].upper()), name))
        common = {"key": key, "code": name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def box(self, selector):
        place = self.evaluate(f"(() => {{ const node = document.querySelector({json.dumps(selector)}); if (!node) return null;"
                              "node.scrollIntoView({block: 'center'}); const box = node.getBoundingClientRect();"
                              "return [box.left, box.top, box.width, box.height]; })()")
        if place is None:
            sys.exit(f"no such element: {selector}")
        return place

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def click(self, selector):
        left, top, width, height = self.box(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, left + width / 2, top + height / 2)

    def drag(self, selector, begin, end):
        left, top, width, height = self.box(selector)
        y = top + height * 0.9
        self.mouse("mouseMoved", left + width * begin, y)
        self.mouse("mousePressed", left + width * begin, y)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=left + width * (begin + end) / 2, y=y, button="left")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=left + width * end, y=y, button="left")
        self.mouse("mouseReleased", left + width * end, y)

    def shot(self, path, whole):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, optimizeForSpeed=False,
                         **({"clip": self.extent()} if whole else {}))["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def extent(self):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def close(self):
        self.call("Browser.close")
        self.process.wait()
        self.log.close()


def run(browser, steps):
    size = {"width": 1280, "height": 900}
    media = {}

    def look():
        browser.call("Emulation.setDeviceMetricsOverride", deviceScaleFactor=1, mobile=False, **size)
        browser.call("Emulation.setEmulatedMedia", media=media.get("media", ""),
                     features=[{"name": "prefers-color-scheme", "value": media.get("scheme", "light")}])
        browser.settle()

    look()
    browser.load()
    browser.settle()
    for step in steps:
        name, _, value = step.partition("=")
        if name in size:
            size[name] = int(value)
            look()
        elif name in ("dark", "light"):
            media["scheme"] = name
            look()
        elif name == "print":
            media["media"] = "print"
            look()
        elif name == "reload":
            browser.load()
        elif name == "eval":
            print(json.dumps(browser.evaluate(value), ensure_ascii=False))
        elif name == "key":
            browser.key(value)
        elif name == "click":
            browser.click(value)
        elif name == "drag":
            selector, begin, end = value.split(",")
            browser.drag(selector, float(begin), float(end))
        elif name in ("shot", "whole"):
            browser.settle()
            browser.shot(value, name == "whole")
        elif name == "pdf":
            data = browser.call("Page.printToPDF", printBackground=False)["data"]
            pathlib.Path(value).write_bytes(base64.b64decode(data))
        else:
            sys.exit(f"no such step: {step}")


def main():
    page, *steps = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as home:
        browser = Browser(home)
        try:
            browser.open(page)
            run(browser, steps)
            browser.close()
        finally:
            if browser.process.poll() is None:
                browser.process.kill()
                browser.process.wait()
    for line in browser.wrong:
        print(f"{page}: {line}", file=sys.stderr)
    sys.exit(1 if browser.wrong else 0)


if __name__ == "__main__":
    main()

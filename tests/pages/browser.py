"""browser.py — Chromium without a window, driven over a pipe by its own protocol: no driver, no library. Nothing is let onto the network."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"]
PATIENCE = 120


def find():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Failed(Exception):
    pass


class Browser:
    """One page of one browser. `problems` has what the console, the policy and the page complained about; `requests` what it asked for."""

    def __init__(self, width=1440, height=900):
        self.profile = tempfile.mkdtemp(prefix="culumi-browser-")
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()
        # The browser reads commands from descriptor 3 and writes to 4. Both are first moved out of the way of their own numbers.
        high_read, high_write = (os.dup(fd) if fd < 10 else fd for fd in (to_read, from_write))

        def prepare():
            os.dup2(high_read, 50)
            os.dup2(high_write, 51)
            os.dup2(50, 3)
            os.dup2(51, 4)

        self.process = subprocess.Popen([find(), *FLAGS, f"--window-size={width},{height}", f"--user-data-dir={self.profile}", "about:blank"],
                                        preexec_fn=prepare, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in {to_read, from_write, high_read, high_write}:
            os.close(fd)
        self.buffer = b""
        self.last = 0
        self.session = None
        self.problems = []
        self.requests = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.source], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise Failed("the browser does not answer")
            chunk = os.read(self.source, 1 << 20)
            if not chunk:
                raise Failed("the browser has ended")
            self.buffer += chunk
        line, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(line)

    def _note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(arg.get("value", arg.get("description"))) for arg in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._message(deadline)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._note(answer)

    def open(self, path):
        self.requests.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("document.readyState === 'complete'")

    def js(self, expression):
        """The value of an expression; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failed(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def wait(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not self.js(f"!!({condition})"):
            if time.monotonic() > deadline:
                raise Failed(f"never came true: {condition}")
            self.js("new Promise(requestAnimationFrame).then(() => 0)")

    def text(self, selector):
        return self.js(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def click_at(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, x, y, to_x, to_y):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        for i in range(1, 6):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + (to_x - x) * i / 5, y=y + (to_y - y) * i / 5, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, button="left", clickCount=1)

    def wheel(self, x, y, delta):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def click(self, selector):
        box = self.js(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
                      " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        self.click_at(*box)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def key(self, key, text=None):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path):
        self.js("new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(0))), 250))")
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

"""A tab of a real browser, which is hidden, shown, closed and killed as a viewer's is."""
import json
import time


class Tab:
    """A tab of a window that belongs to the browser alone.

    Playwright tells its own pages that they have the focus, so that they are never hidden. This one is driven by the
    browser's protocol beneath it.
    """

    def __init__(self, browser):
        self.session = browser.new_browser_cdp_session()
        self.session.on("Target.receivedMessageFromTarget", self.receive)
        self.context = self.session.send("Target.createBrowserContext")["browserContextId"]
        self.answers = {}
        self.count = 0
        self.target = self.attached = self.other = None

    def open(self, url):
        self.target = self.create(url)
        self.attached = self.session.send("Target.attachToTarget", {"targetId": self.target, "flatten": False})["sessionId"]
        # A tab is empty first, and what is asked then may be lost with its first page.
        while not self.has_come(url):
            time.sleep(0.02)

    def has_come(self, url):
        try:
            return self.evaluate("document.readyState === 'complete' && location.href === url", url=url)
        except RuntimeError:
            return False

    def create(self, url):
        return self.session.send("Target.createTarget", {"url": url, "browserContextId": self.context})["targetId"]

    def receive(self, event):
        message = json.loads(event["message"])
        if "id" in message:
            self.answers[message["id"]] = message

    def order(self, method, **parameters):
        """Sends a command to the page, and returns its number; the answer may never come."""
        self.count += 1
        message = json.dumps({"id": self.count, "method": method, "params": parameters})
        self.session.send("Target.sendMessageToTarget", {"sessionId": self.attached, "message": message})
        return self.count

    def evaluate(self, script, **values):
        """What an expression comes to in the page, promises too; `values` are constants in it."""
        constants = "".join(f"const {name} = {json.dumps(value)};" for name, value in values.items())
        number = self.order("Runtime.evaluate", expression=f"(async () => {{ {constants} return ({script}); }})()",
                            returnByValue=True, awaitPromise=True, userGesture=True)
        while number not in self.answers:
            # Events are heard while something is asked.
            self.session.send("Browser.getVersion")
            time.sleep(0.01)
        answer = self.answers.pop(number)
        result = answer.get("result", {})
        if "error" in answer or "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {answer}")
        return result["result"].get("value")

    def hide(self):
        """Another tab comes in front of it."""
        self.other = self.create("about:blank")

    def show(self):
        self.session.send("Target.activateTarget", {"targetId": self.target})
        self.session.send("Target.closeTarget", {"targetId": self.other})

    def close(self):
        self.session.send("Target.closeTarget", {"targetId": self.target})

    def kill(self):
        """Ends the page's process: it can say nothing more."""
        self.order("Page.crash")

    def leave(self):
        """Ends the window, and all that is kept for it."""
        self.session.send("Target.disposeBrowserContext", {"browserContextId": self.context})

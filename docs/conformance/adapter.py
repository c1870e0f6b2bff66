"""A system under test behind the protocol of `orbit tests --with`: two-phase commit, and the adapter that drives it.

    orbit tests models/two-phase-commit.orbit --with "python3 docs/conformance/adapter.py"
"""

import json
import sys


class NotNow(Exception):
    """A step that is not possible now."""


class TwoPhaseCommit:
    def __init__(self, count):
        self.count = count
        self.state = {number: "working" for number in range(1, count + 1)}
        self.sent, self.heard = set(), set()
        self.decision = None

    def resource(self, number, step):
        if step in ("prepare", "chooseToAbort"):
            if self.state[number] != "working":
                raise NotNow(f"manager {number} is {self.state[number]}")
            self.state[number] = "prepared" if step == "prepare" else "aborted"
            if step == "prepare":
                self.sent.add(number)
        else:
            wanted = "commit" if step == "receiveCommit" else "abort"
            if self.decision != wanted:
                raise NotNow(f"there is no message to {wanted}")
            self.state[number] = "committed" if wanted == "commit" else "aborted"
        return {f"state[{number}]": self.state[number]}

    def transaction(self, step, number):
        if self.decision is not None:
            raise NotNow("the decision is made")
        if step == "receivePrepared":
            if number not in self.sent:
                raise NotNow(f"there is no message of {number}")
            self.heard.add(number)
            return {"heard": sorted(self.heard)}
        if step == "decideCommit" and len(self.heard) < self.count:
            raise NotNow("not all are prepared")
        self.decision = "commit" if step == "decideCommit" else "abort"
        return {"decision": self.decision}


def answer(system, asked):
    try:
        process, step = asked["process"], asked["step"]
        if process == "TransactionManager":
            return {"ok": True, "values": system.transaction(step, asked.get("i"))}
        return {"ok": True, "values": system.resource(int(process[len("ResourceManager[") : -1]), step)}
    except NotNow as reason:
        return {"refused": str(reason)}


system = None
for line in sys.stdin:
    message = json.loads(line)
    if "end" in message:
        break
    if "reset" in message:
        system = TwoPhaseCommit(message["reset"]["N"])
        said = {"ok": True}
    elif "do" in message:
        said = answer(system, message["do"])
    else:
        # Every step is one that the tester asks for.
        said = {"quiet": True}
    print(json.dumps(said), flush=True)

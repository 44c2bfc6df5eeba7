"""The same linear graph with LangGraph and its SQLite checkpointer, killed at every boundary and taken up again.

Four nodes, a question to a person, a final node; every node writes a line into a file, which is its effect. A child process
kills itself with SIGKILL before or after the N-th `put` or `put_writes` of the checkpointer. A fresh process then goes on as a
supervisor would: it reads the state of the thread, treats an empty `next` as finished, and otherwise invokes the graph again,
with the answer if a question is open. The other supervisor invokes until a run ends by itself.

    langgraph.py                 every boundary, both supervisors; prints a table and a line of JSON
    langgraph.py child DIR MODE  used by the above
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

# This file has the name of the package that it imports.
sys.path.pop(0)

NODES = ["one", "two", "three", "four", "ask", "last"]


LOCK = threading.Lock()


def boundary(reached=[0]):
    # The checkpointer is called from several threads.
    with LOCK:
        reached[0] += 1
        with open(os.environ["BOUNDARIES"], "a") as out:
            out.write("x\n")
        if reached[0] == int(os.environ["KILL_AT"]):
            os.kill(os.getpid(), signal.SIGKILL)


def child(folder, mode):
    from typing import TypedDict

    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Command, interrupt

    class Watched(SqliteSaver):
        def put(self, *args, **kwargs):
            boundary()
            out = super().put(*args, **kwargs)
            boundary()
            return out

        def put_writes(self, *args, **kwargs):
            boundary()
            out = super().put_writes(*args, **kwargs)
            boundary()
            return out

    class State(TypedDict, total=False):
        steps: list[str]

    def effect(name):
        with open(folder / "effects", "a") as out:
            out.write(name + "\n")

    def node(name):
        def run(state):
            effect(name)
            return {"steps": [*state.get("steps", []), name]}

        return run

    def ask(state):
        answer = interrupt("go on?")
        effect("ask")
        return {"steps": [*state.get("steps", []), f"ask {answer}"]}

    graph = StateGraph(State)
    for name in NODES:
        graph.add_node(name, ask if name == "ask" else node(name))
    for before, after in zip([START, *NODES], [*NODES, END]):
        graph.add_edge(before, after)
    config = {"configurable": {"thread_id": "t"}}
    with Watched.from_conn_string(str(folder / "state.db")) as saver:
        app = graph.compile(checkpointer=saver)
        for _ in range(20):
            state = app.get_state(config)
            begun = state.created_at is not None
            if begun and not state.next:
                if mode == "reads-next" or state.values.get("steps", [])[-1:] == ["last"]:
                    return
            if not begun:
                given = {"steps": []}
            elif any(task.interrupts for task in state.tasks):
                given = Command(resume="yes")
            else:
                given = None
            app.invoke(given, config, durability="sync")


def run(folder, mode, kill_at=0):
    environment = dict(os.environ, KILL_AT=str(kill_at), BOUNDARIES=str(folder / "boundaries"))
    command = [sys.executable, __file__, "child", str(folder), mode]
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, timeout=120)
    if done.returncode not in (0, -signal.SIGKILL):
        print(done.stderr[-2000:], file=sys.stderr)
        raise SystemExit(f"the child failed with {done.returncode} at boundary {kill_at}")
    return done.returncode == 0


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def sweep(mode):
    with tempfile.TemporaryDirectory() as name:
        clean = pathlib.Path(name)
        assert run(clean, mode), "the clean run lives"
        boundaries = len(lines(clean / "boundaries"))
        assert sorted(lines(clean / "effects")) == sorted(NODES), lines(clean / "effects")
    abandoned = missing = doubled = 0
    for kill_at in range(1, boundaries + 1):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            assert not run(folder, mode, kill_at), f"boundary {kill_at} kills"
            assert run(folder, mode), "the second process lives"
            effects = lines(folder / "effects")
            lost = [node for node in NODES if node not in effects]
            abandoned += bool(lost)
            missing += len(lost)
            doubled += len(effects) - len(set(effects))
    return {"boundaries": boundaries, "abandoned": abandoned, "missing": missing, "doubled": doubled}


def main():
    from importlib.metadata import version

    out = {"langgraph": version("langgraph"), "langgraph-checkpoint-sqlite": version("langgraph-checkpoint-sqlite")}
    words = {
        "reads-next": "an empty `next` is taken for finished",
        "invokes": "invoked until the last step is there",
    }
    print(f"LangGraph {out['langgraph']}, SqliteSaver {out['langgraph-checkpoint-sqlite']}, durability=sync")
    for mode, how in words.items():
        out[mode] = told = sweep(mode)
        print(
            f"  {how}: {told['abandoned']} of {told['boundaries']} kills end with an abandoned run, "
            f"{told['missing']} steps missing, {told['doubled']} effects doubled"
        )
    print(json.dumps(out))


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        child(pathlib.Path(sys.argv[2]), sys.argv[3])
    else:
        main()

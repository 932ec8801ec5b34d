"""Sends SIGKILL at each system call, and at random moments."""

import random
import shutil
import signal
import subprocess
import time

import calls
from scene import Scene


def after(scene: Scene, place, tally: dict) -> None:
    published = scene.published(place)
    leftovers = scene.leftovers(place)
    tally["runs"] += 1
    tally["with leftovers"] += bool(leftovers)
    tally["between publishing"] += 0 < published < len(scene.outputs)
    scene.next_run(place)
    shutil.rmtree(place)


def at_each_call(scene: Scene, step: int = 1) -> dict:
    """Kills a run at every `step`-th system call."""
    tally = {"runs": 0, "with leftovers": 0, "between publishing": 0}
    points = [(name, nth) for name, count in calls.of_run(scene).items() for nth in range(1, count + 1)
              if name != "execve"]
    for name, nth in points[::step]:
        place = scene.stage()
        result = calls.disturbed(scene, place, name, f"signal=KILL:when={nth}")
        # The thread with the most calls may differ between runs.
        assert result.returncode in (0, -signal.SIGKILL), f"{name} {nth}: {result.returncode} {result.stderr}"
        try:
            after(scene, place, tally)
        except AssertionError as error:
            raise AssertionError(f"{scene.name}, killed at {name} {nth}: {error}") from error
    return tally


def at_random(scene: Scene, times: int, seed: int) -> dict:
    moments = random.Random(seed)
    tally = {"runs": 0, "with leftovers": 0, "between publishing": 0, "seed": seed}
    place = scene.stage()
    start = time.monotonic()
    subprocess.run(scene.command, cwd=place, check=True)
    duration = time.monotonic() - start
    for _ in range(times):
        place = scene.stage()
        # A resumed run is killed again.
        for _ in range(3 if scene.resumes else 1):
            process = subprocess.Popen(scene.command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, 1.1 * duration))
            process.kill()
            assert process.wait() in (0, -signal.SIGKILL)
        after(scene, place, tally)
    return tally

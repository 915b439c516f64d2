"""Work for more than one machine: the same bytes as on one, whatever dies."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

import ludens
from ludens import cluster

#: Some 180 short units, with needs and artefacts: long enough to be killed in the middle.
PAPER: dict[str, Any] = {"paper": "coevolution", "scale": "smoke", "seeds": 6}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Cluster:
    """A scheduler and workers as processes of their own, on loopback."""

    def __init__(self, folder: Path, prefix: list[str] | None = None, host: str = "127.0.0.1") -> None:
        self.folder, self.host = folder, host
        self.address = f"tcp://{host}:{free_port()}"
        self.processes: list[subprocess.Popen[bytes]] = []
        port = self.address.rpartition(":")[2]
        scheduler = ["scheduler", "--host", host, "--port", port, "--no-dashboard", "--no-show"]
        self.scheduler = self.start(scheduler, prefix)
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self, words: list[str], prefix: list[str] | None = None) -> subprocess.Popen[bytes]:
        log = self.folder / f"log-{len(self.processes)}"
        # A home of its own: workers share nothing but the package and the network.
        home = self.folder / f"home-{len(self.processes)}"
        environment = {**os.environ, "LUDENS_HOME": str(home), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20"}
        environment["DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT"] = "10s"
        dask = [*(prefix or []), sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:]]
        with log.open("wb") as kept:
            process = subprocess.Popen(dask, stdout=kept, stderr=kept, env=environment, cwd=self.folder)
        self.processes.append(process)
        return process

    def add_worker(self, prefix: list[str] | None = None) -> subprocess.Popen[bytes]:
        scratch = self.folder / f"scratch-{len(self.processes)}"
        words = ["worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        words += ["--local-directory", str(scratch), "--death-timeout", "30"]
        self.workers.append(self.start(words, prefix))
        return self.workers[-1]

    def close(self) -> None:
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and three workers."""
    started = Cluster(tmp_path)
    try:
        for _ in range(3):
            started.add_worker()
        with Client(started.address, timeout="60s") as client:
            client.wait_for_workers(3, timeout=60)
        yield started
    finally:
        started.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a reproduction on this machine, without any cluster."""
    folder = tmp_path_factory.mktemp("alone")
    ludens.reproduce(**PAPER, out=folder / "out", home=folder / "home", threads=2)
    return files_of(folder / "out")


def files_of(folder: Path) -> dict[str, bytes]:
    """Units, artefacts and the result; but for by what it was made, which no two runs have in common."""
    found = {
        str(path.relative_to(folder)): path.read_bytes()
        for part in ("units", "artefacts")
        for path in sorted((folder / part).glob("*"))
    }
    result = json.loads((folder / "result.json").read_bytes())
    assert result.pop("made")
    return {**found, "result.json": json.dumps(result).encode()}


def client_process(
    address: str, out: Path, home: Path, prefix: list[str] | None = None
) -> subprocess.Popen[bytes]:
    words = ["reproduce", PAPER["paper"], "--scale", PAPER["scale"], "--seeds", str(PAPER["seeds"]), "--scheduler", address]
    words += ["--out", str(out), "--home", str(home)]
    # The program itself, which hands over to the package.
    return subprocess.Popen(
        [*(prefix or []), sys.executable, "-m", "ludens", *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def units_in(folder: Path) -> dict[str, float]:
    """The outcomes in a folder and when they were written."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "units").glob("*.json")}


def wait_for_units(folder: Path, count: int, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while len(units_in(folder)) < count:
        assert process.poll() is None, "the client ended before it was killed: the experiment is too small"
        assert time.monotonic() < end, f"no {count} units within {seconds} s"
        time.sleep(0.02)


def test_the_cores_of_this_machine(tmp_path: Path, alone: dict[str, bytes]) -> None:
    done = cluster.reproduce(**PAPER, out=tmp_path / "out", home=tmp_path / "home", workers=3)
    assert files_of(tmp_path / "out") == alone
    assert done["units_done"] == done["units_total"] and done["result"]["tables"]
    assert [run["kind"] for run in ludens._core.runs(tmp_path / "home")] == ["reproduce"]


def test_whatever_dies(three: Cluster, tmp_path: Path, alone: dict[str, bytes]) -> None:
    out, home = tmp_path / "out", tmp_path / "home"
    total = len([name for name in alone if name.startswith("units/")])
    first = client_process(three.address, out, home)
    wait_for_units(out, 2, first)
    three.workers[0].send_signal(signal.SIGKILL)
    wait_for_units(out, total // 3, first)
    first.send_signal(signal.SIGKILL)
    first.wait()
    before = units_in(out)
    assert total // 3 <= len(before) < total
    three.workers[1].send_signal(signal.SIGKILL)
    three.add_worker()
    second = client_process(three.address, out, home)
    assert second.wait(timeout=300) == 0
    assert files_of(out) == alone, "the same bytes as on one machine"
    after = units_in(out)
    assert {name: after[name] for name in before} == before, "what was finished was not run again"
    with Client(three.address) as client:
        assert not client.list_datasets(), "nothing is left on the scheduler"


class Hosts:
    """Hosts of their own: network namespaces on a switch that is a namespace, too. Nothing of this machine's own network is touched."""

    def __init__(self, count: int) -> None:
        self.names = [f"ludens-{os.getpid()}-{number}" for number in range(count + 1)]
        switch, *self.hosts = self.names
        for name in self.names:
            ip("netns", "add", name)
        ip("-n", switch, "link", "add", "switch", "type", "bridge")
        ip("-n", switch, "link", "set", "switch", "up")
        for number, host in enumerate(self.hosts):
            port = f"port{number}"
            ip("link", "add", port, "netns", switch, "type", "veth", "peer", "name", "eth0", "netns", host)
            ip("-n", switch, "link", "set", port, "master", "switch", "up")
            ip("-n", host, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", host, "link", "set", device, "up")

    @staticmethod
    def address(number: int) -> str:
        return f"10.199.77.{number + 1}"

    def on(self, number: int) -> list[str]:
        return ["ip", "netns", "exec", self.hosts[number]]

    def close(self) -> None:
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    """Four hosts; where they cannot be made (no root, no `ip`), that is said, and with CI set it is a failure."""
    try:
        made = Hosts(4)
    except (OSError, subprocess.CalledProcessError) as error:
        if os.environ.get("CI"):
            pytest.fail(f"no network namespaces can be made here: {error}")
        pytest.skip(f"no network namespaces can be made here: {error}")
    try:
        yield made
    finally:
        made.close()


def test_hosts_of_their_own(hosts: Hosts, tmp_path: Path, alone: dict[str, bytes]) -> None:
    started = Cluster(tmp_path, hosts.on(0), hosts.address(0))
    out, home = tmp_path / "out", tmp_path / "home"
    try:
        for number in (1, 2, 3):
            started.add_worker(hosts.on(number))
        client = client_process(started.address, out, home, hosts.on(0))
        wait_for_units(out, 5, client)
        # A host that is cut off is as good as dead.
        ip("-n", hosts.hosts[1], "link", "set", "eth0", "down")
        started.workers[1].kill()
        assert client.wait(timeout=300) == 0
        assert files_of(out) == alone
    finally:
        started.close()


def test_a_sweep_is_the_same_anywhere(three: Cluster, tmp_path: Path) -> None:
    def sweep(home: str, **where: str) -> bytes:
        rows = cluster.sweep(
            "nhb", ["tic_tac_toe"], {"states": [40, 80]}, seeds=2, steps=3,
            against=["random", "depth1"], matches=20, out=tmp_path / f"{home}.json", home=tmp_path / home, **where,
        )  # fmt: skip
        order = [(row["states"], row["seed"], row["against"]) for row in rows]
        assert order == [(d, s, a) for d in (40, 80) for s in (1, 2) for a in ("random", "depth1")]
        return (tmp_path / f"{home}.json").read_bytes()

    there = sweep("there", scheduler=three.address)
    began = time.perf_counter()
    assert sweep("there", scheduler=three.address) == there
    again = time.perf_counter() - began
    assert sweep("here") == there
    assert again < 5, "what is kept is not run again"


def test_a_tournament_in_parts_is_that_of_the_arena(three: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PAIRS_A_TASK", 7)
    minds, whole = ["depth1", "random", "uct:sims=20"], {}
    for place, where in (("there", {"scheduler": three.address}), ("here", {"workers": 2})):
        whole[place] = cluster.arena(minds, "tic_tac_toe", 40, seed=3, home=tmp_path / place, **where)  # type: ignore[arg-type]
    assert whole["there"] == whole["here"] == ludens.arena(minds, "tic_tac_toe", 40, seed=3)
    model = ludens.Model.zoo("nhb-connect-four")
    rules = ludens.load_game("connect_four")
    with Client(three.address) as client:
        mixed = cluster.arena([model, "random"], rules, 20, seed=1, home=tmp_path, client=client)
    assert mixed == ludens.arena([model, "random"], rules, 20, seed=1)


def test_labels_in_parts_are_the_file_of_the_program(three: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "POSITIONS_A_TASK", 60)
    settings = {"seed": 2, "first_ply": 22, "last_ply": 24}
    labels = cluster.label(200, **settings, home=tmp_path, scheduler=three.address, out=tmp_path / "a.safetensors")  # type: ignore[arg-type]
    words = ["label", "connect-four", "--count", "200", "--seed", "2", "--from-ply", "22", "--to-ply", "24"]
    words += ["--out", str(tmp_path / "b.safetensors")]
    subprocess.run([sys.executable, "-m", "ludens", *words], check=True, capture_output=True)
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes() == labels.to_bytes()


def test_one_unit_at_a_time_without_dask(tmp_path: Path) -> None:
    """The way of Slurm arrays: a folder a unit, run twice, then merged."""

    def program(*words: str) -> str:
        done = subprocess.run([sys.executable, "-m", "ludens", *words], check=True, capture_output=True, cwd=tmp_path)
        return done.stdout.decode()

    plan = ["contexts", "--scale", "smoke", "--seeds", "2"]
    ludens.reproduce("contexts", scale="smoke", seeds=2, out=tmp_path / "alone", home=tmp_path / "home")
    listed = json.loads(program("units", *plan, "--json"))
    parts = []
    for number, unit in enumerate(listed):
        if any(unit["unit"] in other["needs"] for other in listed):
            continue
        part = ["--unit", unit["unit"], "--home", f"home-{number}", "--out", f"part-{number}"]
        program("reproduce", *plan, *part)
        if number % 5 == 0:
            before = units_in(tmp_path / f"part-{number}")
            program("reproduce", *plan, *part)
            assert units_in(tmp_path / f"part-{number}") == before, "run again, it finds itself done"
        parts.append(f"part-{number}")
    program("merge", *parts, "--out", "whole")
    assert files_of(tmp_path / "whole") == files_of(tmp_path / "alone")


def test_what_is_wrong_is_said(three: Cluster, tmp_path: Path) -> None:
    with pytest.raises(ludens.LudensError, match="there is no experiment"):
        cluster.reproduce("nobody", out=tmp_path / "out")
    with pytest.raises(ludens.LudensError, match="is not a scale"):
        cluster.reproduce("contexts", scale="huge", out=tmp_path / "out")
    with pytest.raises(ludens.LudensError, match="there is no Dask scheduler"):
        cluster.connect(f"tcp://127.0.0.1:{free_port()}")
    with pytest.raises(ludens.LudensError, match="there is no mind"):
        cluster.arena(["random", "nobody"], "reversi", 4, home=tmp_path, scheduler=three.address)


def test_another_version_is_refused() -> None:
    with pytest.raises(RuntimeError, match="install the same"):
        cluster.graph.call("0.0.0", lambda needs: {}, (), [])


def pieces(folder: Path, *, slow: float = 0.0, bad: int | None = None) -> list[cluster.graph.Task]:
    """Short tasks that leave a line each wherever they run, so that it is seen how often they do; workers get the function itself with them."""

    def piece(place: str, number: int, *, needs: list[cluster.graph.Files]) -> cluster.graph.Files:
        with open(place, "a") as log:
            log.write(f"{number}\n")
        time.sleep(slow)
        if number == bad:
            raise ludens.LudensError("this piece cannot be done")
        return {"piece": str(number + sum(int(need["piece"]) for need in needs)).encode()}

    log = str(folder / "ran")
    first = [cluster.graph.Task(f"a/{number}", piece, (log, number)) for number in range(60)]
    later = [cluster.graph.Task(f"b/{number}", piece, (log, number), (f"a/{number}", "a/0")) for number in range(60)]
    return first + later


def ran(folder: Path) -> list[int]:
    return sorted(int(line) for line in (folder / "ran").read_text().split())


def store(folder: Path) -> cluster.Works:
    return cluster.Works("pieces", {}, "all", folder / "home")


def kept_in(folder: Path) -> dict[str, cluster.graph.Files]:
    return {name: store(folder).load(name) for name in store(folder).done()}


def test_short_tasks_go_together(three: Cluster, tmp_path: Path) -> None:
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
    cluster.run(pieces(tmp_path / "here"), store(tmp_path / "here"), name="ludens-here")
    with Client(three.address) as client:
        cluster.run(pieces(tmp_path / "there"), store(tmp_path / "there"), name="ludens-there", client=client)
        handed = client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_log)
        keys = {entry[0] for entry in handed if str(entry[0]).startswith("ludens-there-")}
        assert not client.list_datasets()
    assert len(kept_in(tmp_path / "here")) == 120 and kept_in(tmp_path / "here") == kept_in(tmp_path / "there")
    assert ran(tmp_path / "there") == sorted([*range(60)] * 2), "each of them once"
    assert len(keys) < 60, "Dask has far fewer tasks than there are"


def test_what_is_done_before_a_failure_is_kept(three: Cluster, tmp_path: Path) -> None:
    with Client(three.address) as client:
        with pytest.raises(ludens.LudensError, match="cannot be done"):
            cluster.run(pieces(tmp_path, bad=59), store(tmp_path), name="ludens-bad", client=client)
        assert not client.list_datasets()
        before = store(tmp_path).done()
        # What stood in one batch with it, before it, is not lost.
        assert "a/58" in before and "a/59" not in before
        cluster.run(pieces(tmp_path), store(tmp_path), name="ludens-bad", client=client)
    assert len(store(tmp_path).done()) == 120


def test_a_batch_that_is_kept_in_part_is_not_run_again(three: Cluster, tmp_path: Path) -> None:
    class Stopped(BaseException):
        """As if the client had been killed: it says no good-bye."""

    class Half(cluster.Works):
        def keep(self, name: str, files: cluster.graph.Files) -> None:
            super().keep(name, files)
            if name == "a/30":
                raise Stopped

    half = Half("pieces", {}, "all", tmp_path / "home")
    with Client(three.address) as first, Client(three.address) as second:
        with pytest.MonkeyPatch.context() as patched, pytest.raises(Stopped):
            patched.setattr(cluster.scheduler, "_unpublish", lambda client, name: None)
            patched.setattr(first, "cancel", lambda futures: None)
            cluster.run(pieces(tmp_path), half, name="ludens-half", client=first)
        assert 0 < len(store(tmp_path).done()) < 120 and second.list_datasets()
        cluster.run(pieces(tmp_path), store(tmp_path), name="ludens-half", client=second)
        assert not second.list_datasets()
    assert len(store(tmp_path).done()) == 120
    assert ran(tmp_path) == sorted([*range(60)] * 2), "each of them once, by whichever client"

#!/usr/bin/env python3
"""Holds slurm.sh, on a Slurm of one node that is begun for it, to one replay of the same archives. See run --help."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import made_archives
from check_shards import SPARK, Programs, same

SHARDS = 5


class Slurm:
    """A controller and a node of this machine, with their own keys and ports."""

    def __init__(self, folder):
        self.folder = folder
        host = socket.gethostname().split(".")[0]
        for name in ("munge", "state", "spool"):
            os.mkdir(f"{folder}/{name}", 0o755)
        with open(os.open(f"{folder}/key", os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(1024))
        ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        control, node = (port.getsockname()[1] for port in ports)
        for port in ports:
            port.close()
        settings = {
            "ClusterName": "tally",
            "SlurmctldHost": f"{host}(127.0.0.1)",
            "SlurmctldPort": control,
            "SlurmdPort": node,
            "AuthType": "auth/munge",
            "AuthInfo": f"socket={folder}/munge/socket",
            "CredType": "cred/munge",
            "SlurmUser": "root",
            "StateSaveLocation": f"{folder}/state",
            "SlurmdSpoolDir": f"{folder}/spool",
            "SlurmctldPidFile": f"{folder}/control.pid",
            "SlurmdPidFile": f"{folder}/node.pid",
            "ProctrackType": "proctrack/pgid",
            "TaskPlugin": "task/none",
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_CPU_Memory",
            "ReturnToService": 2,
            "MpiDefault": "none",
            "NodeName": f"{host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} RealMemory=4000 State=UNKNOWN",
            "PartitionName": "main Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
        }
        with open(f"{folder}/slurm.conf", "w", encoding="utf-8") as file:
            file.writelines(f"{name}={value}\n" for name, value in settings.items())
        self.environment = {**os.environ, "SLURM_CONF": f"{folder}/slurm.conf"}
        munge = [f"--{name}={folder}/munge/{name}" for name in ("socket", "pid-file", "log-file", "seed-file")]
        self.processes = [
            self._begin("munged", "--foreground", "--force", f"--key-file={folder}/key", *munge),
            self._begin("slurmctld", "-D", "-f", f"{folder}/slurm.conf"),
            self._begin("slurmd", "-D", "-f", f"{folder}/slurm.conf"),
        ]

    def _begin(self, *words):
        with open(f"{self.folder}/{words[0]}.log", "wb") as log:
            process = subprocess.Popen(words, env=self.environment, stdout=log, stderr=log)
        if words[0] == "munged":
            while not os.path.exists(f"{self.folder}/munge/socket") and process.poll() is None:
                time.sleep(0.05)
        return process

    def run(self, *words, code=0):
        """Runs a command of Slurm's."""
        run = subprocess.run(words, env=self.environment, capture_output=True, text=True)
        assert run.returncode == code, f"{words}: {run.returncode}: {run.stdout}{run.stderr}"
        return run.stdout

    def wait(self):
        """Waits until the node takes jobs."""
        while "idle" not in subprocess.run(
            ["sinfo", "-h", "-o", "%T"], env=self.environment, capture_output=True, text=True
        ).stdout:
            assert all(process.poll() is None for process in self.processes), f"Slurm does not run: see {self.folder}"
            time.sleep(0.1)

    def end(self):
        """Ends all of it."""
        for process in reversed(self.processes):
            process.terminate()
            process.wait()


def main():
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        print(f"slurm: NOT CHECKED: {' '.join(missing) + ' missing' if missing else 'it is begun by root alone'}")
        return
    programs = Programs(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tally-slurm-") as folder:
        os.chmod(folder, 0o755)
        os.mkdir(f"{folder}/in")
        made_archives.hours(f"{folder}/in", 21, trouble=True)
        expected, _, _ = programs.whole(folder, f"{folder}/in")
        manifest, out = f"{folder}/manifest.jsonl", f"{folder}/out"
        words = ["--program", programs.replay, "--archives", f"{folder}/in", "--shards", str(SHARDS), "-o", manifest]
        programs.spark("manifest", *words)
        slurm = Slurm(folder)
        try:
            slurm.environment |= {"TALLY_REPLAY": programs.replay, "TALLY_SHARD": f"{SPARK}/batch/tally-shard"}
            slurm.wait()
            job = ["sbatch", "--wait", "--output", f"{folder}/job-%a.log", f"{SPARK}/batch/slurm.sh", manifest, out]
            job += ["--", *programs.plugins]
            # One shard fails: its plugins are not there. The same command again does what is missing, and no more.
            job.insert(1, f"--array=0-{SHARDS - 2}%2")
            slurm.run(*job)
            slurm.run("sbatch", "--wait", f"--array={SHARDS - 1}", *job[3:-1], "no-such-tracker", code=78)
            assert "shards are missing" in programs.spark("summary", out, "--manifest", manifest, code=66)
            made = {name: os.stat(f"{out}/{name}").st_mtime_ns for name in os.listdir(out) if name.endswith(".jsonl")}
            job[1] = f"--array=0-{SHARDS - 1}%2"
            slurm.run(*job)
            assert all(os.stat(f"{out}/{name}").st_mtime_ns == time for name, time in made.items()), "done twice"
            programs.spark("summary", out, "--manifest", manifest, code=65)
        finally:
            slurm.end()
        lines = []
        for number in range(SHARDS):
            with open(f"{out}/shard-{number:05d}.jsonl", "rb") as file:
                lines += file.read().splitlines()
        same(sorted(lines), expected, "slurm")
    print("slurm: the shards of an array of jobs say what the whole says; the same command again does what is missing")


if __name__ == "__main__":
    main()

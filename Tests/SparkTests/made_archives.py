"""Archives of short runs for the tests: whole, cut between files, copied, mixed and damaged, by a seed."""

import json
import random
import subprocess


def run(name, number, samples, with_end=True, apart=7_000):
    """The lines of one run; runs whose numbers follow one another begin so many seconds apart."""
    head = {
        "format": 1,
        "semantics": 2,
        "core": "1.0.0",
        "epoch_us": 1_750_000_000_000_000 + number * apart * 1_000_000,
        "trackers": [],
    }
    lines = [
        {"tally": head},
        event(0, "video_load", {"video_id": f"film-{number % 5}", "user_id": f"viewer-{number % 40}"}),
        event(1_000, "play"),
        event(300_000, "first_frame", playhead=0),
    ]
    for sample in range(1, samples):
        time = 300_000 + sample * 250_000
        if sample % 23 == 7:
            lines += [event(time, "buffer_start", playhead=sample * 250), event(time + 90_000, "buffer_complete")]
        else:
            lines.append(event(time, "playhead_sample", playhead=sample * 250))
    time = 300_000 + samples * 250_000
    lines.append(event(time, "video_unload"))
    if with_end:
        lines.append({"t_us": time, "end": "drained", "dropped": 0})
    return [json.dumps({"run": name, "n": place, **line}, separators=(",", ":")) + "\n" for place, line in enumerate(lines)]


def event(time, name, attributes=None, playhead=None):
    made = {"t_us": time, "event": name}
    if playhead is not None:
        made["state"] = {"playhead_ms": playhead}
    if attributes:
        made["attributes"] = attributes
    return made


def hours(folder, seed, files=6, runs=60, samples=30, trouble=False, cut=False):
    """Files as a rotation makes them: many runs at once, some of whose lines lie in two or three of them."""
    source = random.Random(seed)
    open_runs, lines = [], [[] for _ in range(files)]
    begun = 0
    for hour in range(files):
        for _ in range(runs):
            if open_runs and (len(open_runs) > 8 or source.random() < 0.4):
                # Some lines of a run together, as a player sends them.
                own = source.choice(open_runs)
                count = source.randint(1, 15)
                lines[hour] += own[:count]
                del own[:count]
                open_runs = [one for one in open_runs if one]
            else:
                open_runs.append(run(f"run-{seed}-{begun}", begun, source.randint(2, samples), source.random() < 0.9))
                begun += 1
    lines[-1] += [line for own in open_runs for line in own]
    if trouble:
        place = source.randrange(len(lines[1]))
        lines[1][place] = lines[1][place][:20] + "\n"
        del lines[3][source.randrange(len(lines[3]))]
    paths = []
    for hour, own in enumerate(lines):
        path = f"{folder}/hour-{hour:02}.tally"
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(own))
        if hour % 3 == 2:
            subprocess.run(["zstd", "-q", "--rm", path], check=True)
            path += ".zst"
        paths.append(path)
    if cut:
        # A line that was cut between two files, and one that was cut for good.
        first, second = paths[0], paths[1]
        with open(first, encoding="utf-8") as file, open(second, encoding="utf-8") as other:
            text, more = file.read(), other.read()
        with open(first, "w", encoding="utf-8") as file, open(second, "w", encoding="utf-8") as other:
            file.write(text + more[:30])
            other.write(more[30:-9])
    # A copy of a part, and one file of a player alone, with a run that begins twice.
    with open(f"{folder}/copy.tally", "w", encoding="utf-8") as file:
        file.write("".join(lines[0][: len(lines[0]) // 2]))
    with open(f"{folder}/single.tally", "w", encoding="utf-8") as file:
        file.write("".join(run(f"single-{seed}", 500, 40) + run(f"other-{seed}", 501, 3) + run(f"single-{seed}", 502, 7)))
    return [*paths, f"{folder}/copy.tally", f"{folder}/single.tally"]


def small(folder, count, seed):
    """Very many archives of one short run each; one run in a hundred goes on in another file."""
    source = random.Random(seed)
    for number in range(count):
        lines = run(f"small-{number}", number, source.randint(2, 6), apart=7)
        cut = source.randint(2, len(lines) - 1) if number % 100 == 99 else len(lines)
        for part, own in enumerate((lines[:cut], lines[cut:])):
            if own:
                with open(f"{folder}/{number:06}{'-rest' if part else ''}.tally", "w", encoding="utf-8") as file:
                    file.write("".join(own))

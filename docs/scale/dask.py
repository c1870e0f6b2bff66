"""All states of a model on a cluster, or with several processes on one machine, with `orbit expand` and Dask.

    python3 dask.py [--scheduler ADDRESS | --workers N] [--partitions N] [--continue] FOLDER MODEL [options of orbit expand]

FOLDER is seen by all machines and gets the states of each level, in a file for each partition; a state is in the partition
that its hash says. A task reads files, and puts a whole new one in its place: it may run twice, or on another worker after
one was lost. A search that was ended goes on from its last whole level; a file that is not as it was written ends it with 2.
Exit codes are those of `orbit explore`.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import threading
import zlib

# This file is called like the package.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [path for path in sys.path if os.path.abspath(path or '.') != HERE]
from distributed import Client, LocalCluster, get_worker  # noqa: E402

MOST_VERDICTS = 1000


def write_whole(path, lines):
    """Another run of the same task may write the same file at the same time. Returns what is told of the lines later."""
    part = path.with_name(f'{path.name}.{os.getpid()}-{threading.get_ident()}')
    with open(part, 'wb') as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    return summary_of(lines)


def summary_of(lines):
    """The number of lines, and a checksum of all."""
    count, sum_so_far = 0, 0
    for line in lines:
        count, sum_so_far = count + 1, zlib.crc32(line, sum_so_far)
    return [count, sum_so_far]


def check(folder, level, summaries, part, _partitions):
    """Ends the search if a file of states has lost some, as after a crash of a machine."""
    path = folder / f'level-{level:06}' / f'{part}'
    with open(path, 'rb') as file:
        if summary_of(file) != summaries[part]:
            raise RuntimeError(f'{path} is not as it was written')


class Filter:
    """A process that stays on its worker, since a start takes as long as thousands of states."""

    def __init__(self, call):
        self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answers(self, path):
        """What is written for the lines of a file. The dot behind them is answered by a dot."""
        thread = threading.Thread(target=self.send, args=(path,), daemon=True)
        thread.start()
        for line in self.process.stdout:
            if line == b'.\n':
                thread.join()
                return
            yield line
        raise subprocess.CalledProcessError(self.process.wait(), self.process.args)

    def send(self, path):
        try:
            with open(path, 'rb') as file:
                self.process.stdin.writelines(file)
            self.process.stdin.write(b'.\n')
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # The reader of the answers notices, too.


    def end(self):
        self.process.communicate()


def filters_of(worker):
    return worker.__dict__.setdefault('orbit_filters', [])


def answers_of(call, path):
    filters = filters_of(get_worker())
    found = filters.pop() if filters else Filter(call)
    try:
        yield from found.answers(path)
    except BaseException:
        found.process.kill()
        raise
    # Only one that has answered everything is used again.
    filters.append(found)


def end_filters(dask_worker):
    for each in filters_of(dask_worker):
        each.end()


def successors_of(folder, level):
    """Each level has its own: a late task of a worker that seemed lost must not write over those of a later level."""
    return folder / f'successors-{level:06}'


def expand(call, folder, level, part, partitions):
    """Expands a file of states into a file of successors for each partition. Returns counts and verdicts."""
    path = folder / f'level-{level:06}' / f'{part}'
    successors = [set() for _ in range(partitions)]
    verdicts, violations, marks = [], 0, []
    for line in answers_of(call, path):
        if line.startswith(b'!'):
            violations += 1
            verdicts += [line.decode()] if len(verdicts) < MOST_VERDICTS else []
        elif line.startswith(b'#'):
            marks.append(line.split())
        else:
            successors[zlib.crc32(line) % partitions].add(line)
    with open(path, 'rb') as file:
        states = sum(1 for _ in file)
    read, transitions = int(marks[0][1]), int(marks[0][3])
    if read != states:
        raise RuntimeError(f'{read} of {states} states of {path} were read')
    for target, lines in enumerate(successors):
        write_whole(successors_of(folder, level) / f'{part}-{target}', lines)
    return {'transitions': transitions, 'violations': violations, 'verdicts': sorted(verdicts)}


def unite(folder, level, part, partitions):
    """Makes the file of a partition of a level, without the states of earlier levels."""
    states = set()
    for source in range(partitions):
        with open(successors_of(folder, level - 1) / f'{source}-{part}', 'rb') as file:
            states.update(file)
    for earlier in range(level):
        with open(folder / f'level-{earlier:06}' / f'{part}', 'rb') as file:
            states.difference_update(file)
    return write_whole(folder / f'level-{level:06}' / f'{part}', sorted(states))


def predecessors(call, folder, level, part, state):
    path = folder / f'level-{level:06}' / f'{part}'
    with open(path, 'rb') as file:
        ended = subprocess.run([*call, '--towards', state], stdin=file, stdout=subprocess.PIPE, check=True)
    return [line for line in ended.stdout.decode().split('\n') if line and line[0] not in '!#']


def begin(call, folder, partitions):
    """The first level, or what is there of an earlier search."""
    manifest = folder / 'manifest.json'
    if manifest.exists():
        try:
            return json.loads(manifest.read_text())
        except ValueError as error:
            raise RuntimeError(f'{manifest} is not as it was written') from error
    run = lambda *words: subprocess.run([*call, *words], stdout=subprocess.PIPE, check=True).stdout  # noqa: E731
    identity = run('--identity').decode().strip()
    lines = {line for line in run('--initial').splitlines(keepends=True) if not line.startswith(b'#')}
    (folder / 'level-000000').mkdir(parents=True, exist_ok=True)
    owns = [sorted(line for line in lines if zlib.crc32(line) % partitions == part) for part in range(partitions)]
    files = [write_whole(folder / 'level-000000' / f'{part}', own) for part, own in enumerate(owns)]
    return {'identity': identity, 'partitions': partitions, 'levels': [], 'files': [files]}


def search(client, call, folder, found, goes_on):
    """Expands level after level. The manifest says what is whole."""
    partitions = found['partitions']
    gather = lambda task, *words: client.gather(  # noqa: E731
        [client.submit(task, *words, part, partitions, pure=False, retries=3) for part in range(partitions)]
    )
    check_all = lambda: [gather(check, folder, *each) for each in enumerate(found['files'])]  # noqa: E731
    check_all()
    while states_of(found['files'][-1]) > 0 and (goes_on or not violations_of(found)):
        level = len(found['levels'])
        for path in [successors_of(folder, level), folder / f'level-{level + 1:06}']:
            path.mkdir(exist_ok=True)
        expanded = gather(expand, call, folder, level)
        found['files'].append(gather(unite, folder, level + 1))
        found['levels'].append(
            {
                'transitions': sum(each['transitions'] for each in expanded),
                'violations': sum(each['violations'] for each in expanded),
                'verdicts': sorted(verdict for each in expanded for verdict in each['verdicts'])[:MOST_VERDICTS],
            }
        )
        write_whole(folder / 'manifest.json', [json.dumps(found).encode()])
        shutil.rmtree(successors_of(folder, level), ignore_errors=True)
    check_all()


def states_of(files):
    return sum(count for count, _ in files)


def violations_of(found):
    return sum(level['violations'] for level in found['levels'])


def path_to(client, call, folder, found):
    """From an initial state to the first one with a verdict, backward."""
    level = next(number for number, level in enumerate(found['levels']) if level['violations'] > 0)
    verdict = found['levels'][level]['verdicts'][0]
    path = [verdict.split()[-1]]
    for earlier in reversed(range(level)):
        tasks = [
            client.submit(predecessors, call, folder, earlier, part, path[0], pure=False, retries=3)
            for part in range(found['partitions'])
        ]
        path.insert(0, min(state for states in client.gather(tasks) for state in states))
    return verdict, path


def tell(call, verdict, path):
    """Prints a verdict with a run to it, at the place of the run, which may show the image of a fault."""
    told = subprocess.run([*call, '--run'], input='\n'.join(path) + '\n', stdout=subprocess.PIPE, text=True, check=False)
    place = re.search(r'^violated: .*?(\d+:\d+)$', told.stdout, re.MULTILINE)
    print(re.sub(r' \d+:\d+ ', f' {place[1]} ', verdict) if place else verdict, told.stdout, sep='\n', end='')
    return told.returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__, allow_abbrev=False)
    parser.add_argument('--scheduler')
    parser.add_argument('--workers', type=int, default=os.cpu_count())
    parser.add_argument('--partitions', type=int)
    parser.add_argument('--continue', dest='goes_on', action='store_true')
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('model', type=os.path.abspath)
    given, options = parser.parse_known_args()
    orbit = shlex.split(os.environ.get('ORBIT', 'orbit'))
    folder = given.folder.absolute()
    call = [*orbit, 'expand', given.model, *options]
    found = begin([*call, '--quiet'], folder, given.partitions or 4 * given.workers)
    call += ['--expect', found['identity']]
    # Ends with 2 at once if the folder is of another model; workers ask again.
    subprocess.run([*call, '--identity'], stdout=subprocess.DEVNULL, check=True)
    cluster = given.scheduler or LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        search(client, [*call, '--quiet'], folder, found, given.goes_on)
        client.run(end_filters)
        levels = found['levels']
        transitions = sum(level['transitions'] for level in levels)
        depth = len(levels) - (states_of(found['files'][-1]) == 0)
        print(f"{sum(map(states_of, found['files']))} states, {transitions} transitions, depth {depth}")
        if violations_of(found) == 0:
            return 0
        verdict, path = path_to(client, [*call, '--quiet'], folder, found)
    return tell(call, verdict.rstrip(), path)


if __name__ == '__main__':
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # It has said why.
    except (OSError, RuntimeError) as error:
        print(f'dask.py: {error}', file=sys.stderr)
        sys.exit(2)

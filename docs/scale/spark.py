"""All states of a model on a cluster, with `orbit expand` and Spark.

    spark-submit spark.py [--partitions N] [--continue] FOLDER MODEL [options of orbit expand]

FOLDER is a new one on a file system of the cluster, and gets the states of each level. MODEL is a file on each machine, and
so are the other files that options name; where one differs, its tasks fail. Tasks may run twice or anywhere: what the filter
writes for a line depends on the line alone. Exit codes are those of `orbit explore`.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys

from pyspark import SparkContext, StorageLevel


class Search:
    def __init__(self, context, call, folder, partitions):
        self.context, self.call, self.folder, self.partitions = context, call, folder, partitions

    def pipe(self, states, *words):
        """A process for each partition. Without an environment `pipe` gives it none, and without `checkCode` it may fail."""
        return states.pipe(shlex.join([*self.call, *words]), env=dict(os.environ), checkCode=True)

    def save(self, states, level):
        """From here on states are read from the file system, and not computed again."""
        states.saveAsTextFile(f'{self.folder}/level-{level:06}')
        return self.levels([level])

    def levels(self, levels):
        return self.context.textFile(','.join(f'{self.folder}/level-{level:06}' for level in levels), self.partitions)

    def run(self, initial, goes_on):
        """Expands level after level. Returns the counts, and the first verdict with its level."""
        frontier = self.save(self.context.parallelize(initial, self.partitions), 0)
        states, transitions, depth, verdict = len(initial), 0, 0, None
        waiting = len(initial)
        while waiting > 0 and (goes_on or verdict is None):
            answers = self.pipe(frontier).persist(StorageLevel.DISK_ONLY)
            marks = answers.filter(lambda line: line.startswith('#')).map(lambda line: line.split()).collect()
            if sum(int(mark[1]) for mark in marks) != waiting:
                raise RuntimeError(f'not all of {waiting} states were read')
            transitions += sum(int(mark[3]) for mark in marks)
            found = answers.filter(lambda line: line.startswith('!'))
            if verdict is None and not found.isEmpty():
                verdict = (depth, found.min())
            successors = answers.filter(lambda line: line[0] not in '!#').distinct(self.partitions)
            seen = self.levels(range(depth + 1))
            frontier = self.save(successors.subtract(seen, self.partitions), depth + 1)
            answers.unpersist()
            waiting = frontier.count()
            states += waiting
            depth += waiting > 0
        if self.levels(range(depth + 1)).count() != states:
            raise RuntimeError(f'the levels in {self.folder} are not as they were written')
        return states, transitions, depth, verdict

    def path_to(self, level, state):
        """From an initial state on, backward."""
        path = [state]
        for earlier in reversed(range(level)):
            found = self.pipe(self.levels([earlier]), '--towards', path[0]).filter(lambda line: line[0] not in '!#')
            path.insert(0, found.min())
        return path


def tell(call, verdict, path):
    """Prints a verdict with a run to it, at the place of the run, which may show the image of a fault."""
    told = subprocess.run([*call, '--run'], input='\n'.join(path) + '\n', stdout=subprocess.PIPE, text=True, check=False)
    place = re.search(r'^violated: .*?(\d+:\d+)$', told.stdout, re.MULTILINE)
    print(re.sub(r' \d+:\d+ ', f' {place[1]} ', verdict) if place else verdict, told.stdout, sep='\n', end='')
    return told.returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__, allow_abbrev=False)
    parser.add_argument('--partitions', type=int)
    parser.add_argument('--continue', dest='goes_on', action='store_true')
    parser.add_argument('folder')
    parser.add_argument('model')
    given, options = parser.parse_known_args()
    call = [*shlex.split(os.environ.get('ORBIT', 'orbit')), 'expand', given.model, *options]
    ask = lambda *words: subprocess.run([*call, '--quiet', *words], stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: E731
    # The filter of another machine ends with an error if its model, its options or its version differ.
    call += ['--expect', ask('--identity').strip()]
    initial = sorted({line for line in ask('--initial').split('\n') if line and line[0] != '#'})
    context = SparkContext(appName='orbit expand')
    try:
        partitions = given.partitions or 4 * context.defaultParallelism
        search = Search(context, [*call, '--quiet'], given.folder, partitions)
        states, transitions, depth, verdict = search.run(initial, given.goes_on)
        print(f'{states} states, {transitions} transitions, depth {depth}', flush=True)
        if verdict is None:
            return 0
        level, text = verdict
        path = search.path_to(level, text.split()[-1])
    finally:
        context.stop()
    return tell(call, text, path)


if __name__ == '__main__':
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # It has said why.

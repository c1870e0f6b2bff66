"""What spark.py uses of PySpark, in one process: lazy, partition by partition, with the traps of the original.

As documented: `pipe` splits the command like a shell, gives the process only the variables in `env`, runs one process for
each partition (an empty one, too), and ignores exit codes unless asked; `saveAsTextFile` refuses a folder that exists;
`textFile` takes several folders with commas between them, and leaves out hidden files; results that are not persisted are computed again. A partition whose
task fails is computed again, up to four times in all.
"""
import glob
import os
import shlex
import subprocess

MOST_FAILURES = 4


class StorageLevel:
    DISK_ONLY = 'disk'


class RDD:
    def __init__(self, partitions):
        """A function for each partition that computes its list."""
        self.partitions = partitions
        self.kept = None

    def compute(self):
        if self.kept is not None and len(self.kept) > 0:
            return self.kept
        results = [attempt(partition) for partition in self.partitions]
        if self.kept is not None:
            self.kept = results
        return results

    def part(self, index):
        return self.compute()[index] if self.kept is not None else self.partitions[index]()

    def derived(self, change):
        return RDD([lambda index=index: change(self.part(index)) for index in range(len(self.partitions))])

    def persist(self, level):
        assert level == StorageLevel.DISK_ONLY
        self.kept = []
        return self

    def unpersist(self):
        self.kept = None

    def filter(self, test):
        return self.derived(lambda lines: [line for line in lines if test(line)])

    def map(self, change):
        return self.derived(lambda lines: [change(line) for line in lines])

    def pipe(self, command, env=None, checkCode=False):
        def run(lines):
            text = ''.join(f'{line}\n' for line in lines)
            call = shlex.split(command)
            ended = subprocess.run(call, env=env or {}, input=text, stdout=subprocess.PIPE, text=True, check=checkCode)
            return ended.stdout.splitlines()

        return self.derived(run)

    def distinct(self, count):
        return self.shuffled(count, lambda lines: set(lines))

    def subtract(self, other, count):
        def without():
            others = {line for lines in other.compute() for line in lines}
            return lambda lines: [line for line in lines if line not in others]

        return self.shuffled(count, lambda lines: without()(lines))

    def shuffled(self, count, change):
        def part(index):
            own = [line for lines in self.compute() for line in lines if hash(line) % count == index]
            return list(change(own))

        return RDD([lambda index=index: part(index) for index in range(count)])

    def collect(self):
        return [line for lines in self.compute() for line in lines]

    def count(self):
        return len(self.collect())

    def isEmpty(self):
        return self.count() == 0

    def min(self):
        return min(self.collect())

    def saveAsTextFile(self, path):
        os.makedirs(path)
        for index, lines in enumerate(self.compute()):
            with open(f'{path}/part-{index:05}', 'w') as file:
                file.writelines(f'{line}\n' for line in lines)
        open(f'{path}/_SUCCESS', 'w').close()


class SparkContext:
    defaultParallelism = 2

    def __init__(self, appName):
        assert appName

    def parallelize(self, items, count):
        return RDD([lambda index=index: items[index::count] for index in range(count)])

    def textFile(self, names, least):
        assert least > 0
        folders = names.split(',')
        assert all(os.path.exists(f'{folder}/_SUCCESS') for folder in folders), names
        files = [path for folder in folders for path in sorted(glob.glob(f'{folder}/part-*'))]
        return RDD([lambda path=path: read(path) for path in files])

    def stop(self):
        pass


def read(path):
    with open(path) as file:
        return file.read().splitlines()


def attempt(compute):
    for _ in range(MOST_FAILURES - 1):
        try:
            return compute()
        except subprocess.CalledProcessError:
            pass
    return compute()

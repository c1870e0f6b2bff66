/** Loaded before the editor's server and its processes: each ends when the one that has started it is gone. */
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 500).unref();

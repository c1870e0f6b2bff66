/**
 * The part of `@vscode/spdlog` that the editor's server calls, on plain synchronous file appends.
 *
 * Every output channel of an extension is such a file, so lines must reach the disk at once. Nothing is rotated: a
 * workbench session is short, and its folder is thrown away or small.
 */
const fs = require('node:fs');
const path = require('node:path');

/** In the order of the native module's numeric levels, 0 … 5. */
const LEVEL_NAMES = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
    constructor(file) {
        this.file = file;
        this.level = 0;
        this.isRaw = false;
        fs.mkdirSync(path.dirname(file), { recursive: true });
    }

    write(level, text) {
        if (level >= this.level) {
            const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
            fs.appendFileSync(this.file, this.isRaw ? text : `${time} [${LEVEL_NAMES[level]}] ${text}\n`);
        }
    }

    trace(text) {
        this.write(0, text);
    }
    debug(text) {
        this.write(1, text);
    }
    info(text) {
        this.write(2, text);
    }
    warn(text) {
        this.write(3, text);
    }
    error(text) {
        this.write(4, text);
    }
    critical(text) {
        this.write(5, text);
    }

    getLevel() {
        return this.level;
    }
    setLevel(level) {
        this.level = level;
    }
    setPattern() {
        this.isRaw = false;
    }
    clearFormatters() {
        this.isRaw = true;
    }
    flush() {}
    drop() {}
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.shutdown = () => undefined;
exports.createRotatingLogger = (_name, file) => new Logger(file);
exports.createAsyncRotatingLogger = async (_name, file) => new Logger(file);

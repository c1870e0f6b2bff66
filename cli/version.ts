/** The version that `--version` prints and SARIF logs name; a test holds it equal to the one in package.json. */
export const VERSION = '0.1.0';

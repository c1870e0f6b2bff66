/**
 * Bundles as web workers. The first message to each is the folder that it finds other bundles in, and its own: a worker
 * does not know where its script came from. The folder may be of another origin, from which a browser starts no worker;
 * so a script of our own origin loads the bundle.
 */

/** Starts workers that run a bundle of `folder`. */
export function bundleStarter(folder: string, bundle: string): () => Worker {
    const loader = `importScripts(${JSON.stringify(`${folder}/${bundle}`)});`;
    const address = URL.createObjectURL(new Blob([loader], { type: 'text/javascript' }));
    return () => {
        const worker = new Worker(address, { name: bundle });
        worker.postMessage(folder);
        return worker;
    };
}

/** Calls `begin` with the folder of the bundles. It sets the handler of what comes next. */
export function whenStarted(begin: (folder: string) => void): void {
    onmessage = ({ data }: MessageEvent<string>) => {
        onmessage = null;
        begin(data);
    };
}

/** Calls `tell` when a worker fails. Without this its failure is also one of the worker that has started it. */
export function whenFailed(worker: Worker, tell: (reason: string) => void): void {
    worker.onerror = event => {
        event.preventDefault();
        // Of a script of another origin a browser may tell nothing.
        tell(event.message || 'its bundle cannot be loaded or has failed');
    };
}

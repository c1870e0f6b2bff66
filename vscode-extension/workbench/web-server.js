/**
 * Serves VS Code for the web, as sites without a server of the editor do: static files only, with the extension as a
 * web extension and a folder in memory. As on those sites, the page, the extensions, their host and each panel have
 * origins of their own. Plain Node, no packages of its own; call installWorkbench() first.
 */
import { createReadStream, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { webFolder, workbenchFolder } from './install.js';
import { SETTINGS } from './settings.js';

const TYPES = {
    '.css': 'text/css',
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.json': 'application/json',
    '.png': 'image/png',
    '.svg': 'image/svg+xml',
    '.ttf': 'font/ttf',
    '.wasm': 'application/wasm',
};

/**
 * Starts a server on a free port of this machine. Options:
 *   folder           its files are those of the workspace, in memory
 *   extensionFolder  what is in the package of the extension
 *   settings         beside the quiet ones
 *
 * Returns { url, isolatedUrl, stop() }: in the page of `isolatedUrl` threads can share memory.
 */
export async function startWebServer({ folder, extensionFolder, settings }) {
    const roots = new Map([
        ['build', webFolder],
        ['orbit', resolve(extensionFolder)],
        ['memory-files', join(workbenchFolder, 'memory-files')],
    ]);
    const server = createServer((request, response) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        const send = (status, type, content) => {
            response.writeHead(status, { 'Content-Type': type, ...headersFor(url) });
            response.end(content);
        };
        const [, root, ...rest] = decodeURIComponent(url.pathname).split('/');
        if (root === '') {
            return send(200, 'text/html', pageFor(server.address().port, { ...SETTINGS, ...settings }));
        }
        if (root === 'files.json') {
            return send(200, 'application/json', JSON.stringify(filesOf(folder)));
        }
        const folderOfRoot = roots.get(root);
        const file = folderOfRoot && join(folderOfRoot, normalize(join('/', ...rest)));
        if (file === undefined || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
            return send(404, 'text/plain', 'There is no such file.');
        }
        response.writeHead(200, {
            'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
            'Cache-Control': 'max-age=3600',
            ...headersFor(url),
        });
        createReadStream(file).pipe(response);
    });
    const port = await new Promise(listening => {
        server.listen(0, '127.0.0.1', () => listening(server.address().port));
    });
    return {
        url: `http://localhost:${port}/`,
        isolatedUrl: `http://localhost:${port}/?vscode-coi=3`,
        stop: async () => {
            server.closeAllConnections();
            await new Promise(closed => server.close(closed));
        },
    };
}

/** The editor asks by the address for the headers that isolate what it loads. */
function headersFor({ searchParams }) {
    const isolation = Number(searchParams.get('vscode-coi') ?? 0);
    return {
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...((isolation & 1) !== 0 && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
        ...((isolation & 2) !== 0 && { 'Cross-Origin-Embedder-Policy': 'require-corp' }),
    };
}

function filesOf(folder) {
    const names = readdirSync(folder).filter(name => statSync(join(folder, name)).isFile());
    return Object.fromEntries(names.map(name => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The page of the workbench: the address of the build's files, and what the workbench is created with. */
function pageFor(port, settings) {
    const build = `http://localhost:${port}/build`;
    const elsewhere = `http://{{uuid}}.localhost:${port}/build`;
    const extension = path => ({ scheme: 'http', authority: `127.0.0.1:${port}`, path });
    const options = {
        additionalBuiltinExtensions: [extension('/orbit'), extension('/memory-files')],
        configurationDefaults: settings,
        enableWorkspaceTrust: true,
        productConfiguration: {
            // Without these two the host of the extensions has the origin of the page.
            commit: 'none',
            quality: 'stable',
            enableTelemetry: false,
            webEndpointUrlTemplate: elsewhere,
            webviewContentExternalBaseUrlTemplate: `${elsewhere}/out/vs/workbench/contrib/webview/browser/pre/`,
        },
    };
    return `<!DOCTYPE html>
<html>
<head>
    <meta charset="utf-8">
    <link rel="stylesheet" data-name="vs/workbench/workbench.web.main" href="${build}/out/vs/workbench/workbench.web.main.css">
</head>
<body aria-label="">
    <script src="${build}/out/vs/loader.js"></script>
    <script src="${build}/out/vs/webPackagePaths.js"></script>
    <script>
        const paths = Object.entries(self.webPackagePaths).map(([name, file]) => [name, '${build}/node_modules/' + name + '/' + file]);
        require.config({ baseUrl: '${build}/out', paths: Object.fromEntries(paths) });
    </script>
    <script src="${build}/out/vs/workbench/workbench.web.main.nls.js"></script>
    <script src="${build}/out/vs/workbench/workbench.web.main.js"></script>
    <script>
        require(['vs/workbench/workbench.web.main'], ({ create, URI }) => {
            const folderUri = URI.from({ scheme: 'vscode-vfs', authority: 'memory', path: '/models' });
            const workspaceProvider = { workspace: { folderUri }, open: async () => false };
            create(document.body, { ...${JSON.stringify(options)}, workspaceProvider });
        });
    </script>
</body>
</html>`;
}

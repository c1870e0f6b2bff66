/**
 * Sends the diagnostics of validation and of the last analysis, filtered by the settings. An editor that pulls them is
 * told when to ask again; to others they are sent after a build, an analysis, or a change of a setting.
 */
import { DocumentState, URI, type LangiumDocument } from 'langium';
import {
    DiagnosticRefreshRequest,
    DiagnosticSeverity,
    DocumentDiagnosticReportKind,
    type Connection,
    type Diagnostic,
    type DocumentDiagnosticReport,
} from 'vscode-languageserver';
import { unlessCancelled } from '../cancelled.js';
import { explorationDiagnostics } from './exploration-diagnostics.js';
import type { OrbitSharedServices } from '../services.js';
import type { OrbitSettings } from '../../../engine/options.js';
import { analysisDiagnostics, severityOf } from './symmetry-diagnostics.js';

/** Call before the server starts. `withoutDiagnostics` keeps Langium from sending diagnostics as well. */
export function publishDiagnostics(connection: Connection, shared: OrbitSharedServices): void {
    const { AnalysisService, Settings } = shared.analysis;
    const { DocumentBuilder, LangiumDocuments } = shared.workspace;
    /** The diagnostics that are not from validation. */
    const ours = new WeakSet<Diagnostic>();
    let isPulled = false;
    let canRefresh = false;
    shared.lsp.LanguageServer.onInitialize(({ capabilities }) => {
        isPulled = capabilities.textDocument?.diagnostic !== undefined;
        canRefresh = capabilities.workspace?.diagnostics?.refreshSupport === true;
    });

    function addTo(document: LangiumDocument): void {
        const { explained, explorations } = AnalysisService.findings(document);
        const found = [
            ...(explained === undefined ? [] : analysisDiagnostics(explained, document, Settings.current)),
            ...explorationDiagnostics([...explorations.values()], document),
        ];
        for (const diagnostic of found) {
            ours.add(diagnostic);
        }
        const validated = (document.diagnostics ?? []).filter(diagnostic => !ours.has(diagnostic));
        document.diagnostics = [...validated, ...found];
    }

    /** A document that is being built is sent after its build. */
    function documentChanged(document: LangiumDocument | undefined): void {
        if (document?.state === DocumentState.Validated) {
            addTo(document);
            if (!isPulled) {
                send(document.uri, shownDiagnostics(document, Settings.current));
            }
        }
    }

    function send(uri: URI, diagnostics: Diagnostic[]): void {
        void connection.sendDiagnostics({ uri: uri.toString(), diagnostics });
    }

    function refresh(): void {
        if (isPulled && canRefresh) {
            connection.sendRequest(DiagnosticRefreshRequest.type).catch((error: unknown) => {
                connection.console.error(`The editor did not refresh its diagnostics: ${String(error)}`);
            });
        }
    }

    DocumentBuilder.onDocumentPhase(DocumentState.Validated, documentChanged);
    DocumentBuilder.onUpdate((_, deleted) => {
        for (const uri of isPulled ? [] : deleted) {
            send(uri, []);
        }
    });
    AnalysisService.onFindings(uri => {
        documentChanged(LangiumDocuments.getDocument(uri));
        refresh();
    });
    Settings.onChange(() => {
        LangiumDocuments.all.forEach(documentChanged);
        refresh();
    });
    connection.languages.diagnostics.on(({ textDocument }, token) =>
        unlessCancelled(async (): Promise<DocumentDiagnosticReport> => {
            const uri = await DocumentBuilder.waitUntil(DocumentState.Validated, URI.parse(textDocument.uri), token);
            const document = uri && LangiumDocuments.getDocument(uri);
            const items = document === undefined ? [] : shownDiagnostics(document, Settings.current);
            return { kind: DocumentDiagnosticReportKind.Full, items };
        }),
    );
}

/** A connection that drops the diagnostics that Langium sends. */
export function withoutDiagnostics(connection: Connection): Connection {
    return { ...connection, sendDiagnostics: () => Promise.resolve() };
}

/** Errors are always shown; settings filter the others. */
function shownDiagnostics(document: LangiumDocument, settings: OrbitSettings): Diagnostic[] {
    return (document.diagnostics ?? []).flatMap(diagnostic => {
        if (diagnostic.severity === DiagnosticSeverity.Error) {
            return [diagnostic];
        }
        if (settings.hiddenCodes.includes(String(diagnostic.code))) {
            return [];
        }
        if (diagnostic.severity !== DiagnosticSeverity.Warning) {
            return [diagnostic];
        }
        const severity = severityOf(settings.warnings);
        return severity === undefined ? [] : [{ ...diagnostic, severity }];
    });
}

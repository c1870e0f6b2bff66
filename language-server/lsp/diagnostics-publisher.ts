/**
 * Adds the diagnostics of the last finished analysis to those of validation, and sends both anew when an analysis ends
 * or a setting changes.
 */
import { DocumentState, type LangiumDocument, type URI } from 'langium';
import type { Connection, Diagnostic } from 'vscode-languageserver';
import type { OrbitSharedServices } from './lsp-module.js';
import { analysisDiagnostics } from './symmetry-diagnostics.js';

/** Call before the server starts: Langium sends a document's diagnostics to the editor in a later listener. */
export function publishAnalysisDiagnostics(connection: Connection, shared: OrbitSharedServices): void {
    const { AnalysisService, Settings } = shared.analysis;
    /** Tells ours from those of validation. */
    const ours = new WeakSet<Diagnostic>();

    function addTo(document: LangiumDocument): void {
        const { analysis } = AnalysisService.findings(document);
        const found = analysis === undefined ? [] : analysisDiagnostics(analysis, document, Settings.current);
        for (const diagnostic of found) {
            ours.add(diagnostic);
        }
        const validated = (document.diagnostics ?? []).filter(diagnostic => !ours.has(diagnostic));
        document.diagnostics = [...validated, ...found];
    }

    function send(uri: URI): void {
        const document = shared.workspace.LangiumDocuments.getDocument(uri);
        // A document that is being built is sent when it is done.
        if (document?.state === DocumentState.Validated) {
            addTo(document);
            void connection.sendDiagnostics({ uri: uri.toString(), diagnostics: document.diagnostics ?? [] });
        }
    }

    shared.workspace.DocumentBuilder.onDocumentPhase(DocumentState.Validated, addTo);
    AnalysisService.onFindings(send);
    Settings.onChange(() => {
        for (const document of shared.workspace.LangiumDocuments.all) {
            send(document.uri);
        }
    });
}

/** Marks declarations and their uses in the text, until the text changes or others are marked. */
import * as vscode from 'vscode';

export class NameMarks implements vscode.Disposable {
    private readonly decoration = vscode.window.createTextEditorDecorationType({
        backgroundColor: new vscode.ThemeColor('editor.wordHighlightStrongBackground'),
        overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.wordHighlightStrongForeground'),
        borderColor: new vscode.ThemeColor('contrastActiveBorder'),
    });
    private readonly subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.editorsOf(document.uri.toString()).forEach(editor => editor.setDecorations(this.decoration, []));
    });

    /** `names` are declared names, those of locals behind the process: `P.k`. Shows the first of them. */
    async mark(uri: string, names: readonly string[]): Promise<void> {
        const target = vscode.Uri.parse(uri);
        const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
            'vscode.executeDocumentSymbolProvider',
            target,
        );
        const found = symbolsNamed(symbols ?? [], new Set(names));
        const ranges = await Promise.all(
            found.map(async ({ selectionRange }) => {
                const uses = await vscode.commands.executeCommand<vscode.Location[] | undefined>(
                    'vscode.executeReferenceProvider',
                    target,
                    selectionRange.start,
                );
                return (uses ?? []).filter(use => use.uri.toString() === uri).map(use => use.range);
            }),
        );
        const [first] = found;
        const editor =
            this.editorsOf(uri).at(0) ??
            (await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.One, preserveFocus: true }));
        editor.setDecorations(this.decoration, [
            ...found.map(({ selectionRange }) => selectionRange),
            ...ranges.flat(),
        ]);
        if (first !== undefined) {
            editor.revealRange(first.selectionRange, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        }
    }

    dispose(): void {
        this.decoration.dispose();
        this.subscription.dispose();
    }

    private editorsOf(uri: string): readonly vscode.TextEditor[] {
        return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri);
    }
}

/** The symbols with these names, those inside others behind their names: `P.k`. */
function symbolsNamed(
    symbols: readonly vscode.DocumentSymbol[],
    names: ReadonlySet<string>,
    within = '',
): readonly vscode.DocumentSymbol[] {
    return symbols.flatMap(symbol => {
        // The outline shows indices behind a name, and the model around its declarations.
        const own = symbol.name.replace(/[[(:].*$/, '').trim();
        const isNamed = names.has(own) || names.has(`${within}.${own}`);
        return [...(isNamed ? [symbol] : []), ...symbolsNamed(symbol.children, names, own)];
    });
}

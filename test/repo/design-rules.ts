import ts from 'typescript';

/** A line of a source file that breaks a rule of the design. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const operator = 'libs/operator/src/';
const engine = `${operator}engine/`;
const ports = `${engine}ports/`;
const errors = `${operator}errors/`;
/** Plain modules that engine, errors and Nest side share. */
const shared = [`${operator}duration.ts`];

/** Beyond what the linter can say: names reached by another way than the plain one. */
const outsidePorts: Readonly<Record<string, readonly string[]>> = {
  AbortSignal: ['timeout'],
  Date: ['now'],
  Math: ['random'],
  crypto: ['getRandomValues', 'randomUUID'],
  performance: ['now'],
  process: ['abort', 'exit', 'exitCode', 'hrtime', 'kill', 'reallyExit', 'uptime'],
};
const outsidePortsGlobals = [
  'Date',
  'Math',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'crypto',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
];
const outsidePortsImports: Readonly<Record<string, readonly string[]>> = {
  crypto: ['getRandomValues', 'randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'webcrypto'],
};

/** client-node's index and its config cost 0.7 s and 85 MB, so they are loaded when needed. */
const heavyImports = ['@kubernetes/client-node', '@kubernetes/client-node/dist/config.js'];
const heavyImportsAllowed = /^libs\/operator\/src\/client-node(\.ts|\/)/;

/** What the design asks of one source file under libs. `file` is its path from the root, with slashes. */
export function checkSource(file: string, code: string): Finding[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ES2023, true);
  const findings: Finding[] = [];
  const report = (node: ts.Node, text: string): void => {
    findings.push({ file, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
  };
  const needsPorts = file.startsWith(operator) && !file.startsWith(ports);

  const visit = (node: ts.Node): void => {
    if (needsPorts) checkPorts(node, report);
    checkModuleShape(node, report);
    const specifier = importedModule(node);
    if (specifier !== undefined) checkImport(file, node, specifier, report);
    if (ts.isClassDeclaration(node)) checkInjection(node, report);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

type Report = (node: ts.Node, text: string) => void;

function checkPorts(node: ts.Node, report: Report): void {
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isName(node.expression, 'Date')) {
    if (ts.isCallExpression(node) || (node.arguments?.length ?? 0) === 0) {
      report(node, 'reads the time of the machine: use the Clock port');
    }
  }
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const property = accessedName(node);
    if (property === undefined || !ts.isIdentifier(node.expression)) return;
    const object = node.expression.text;
    if ((object === 'globalThis' || object === 'global') && outsidePortsGlobals.includes(property)) {
      report(node, `${object}.${property} hides from the lint rules: use a port`);
    } else if (outsidePorts[object]?.includes(property)) {
      report(node, `${object}.${property} belongs to a port`);
    }
  }
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const banned = outsidePortsImports[node.moduleSpecifier.text.replace(/^node:/, '')];
    const bindings = node.importClause?.namedBindings;
    if (banned && bindings && ts.isNamedImports(bindings)) {
      for (const element of bindings.elements) {
        const name = (element.propertyName ?? element.name).text;
        if (banned.includes(name)) report(element, `${name} is chance: use the Random port`);
      }
    } else if (banned && node.importClause) {
      report(node, 'import the functions by name, so that the rules can see them');
    }
  }
}

function checkModuleShape(node: ts.Node, report: Report): void {
  if (ts.isExportDeclaration(node) && !node.exportClause) report(node, 'export by name, not everything');
  if (ts.isExportAssignment(node)) report(node, 'export by name, not as default');
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((each) => each.kind === ts.SyntaxKind.DefaultKeyword)) {
    report(node, 'export by name, not as default');
  }
  const waits = ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined);
  if (waits && !isInsideFunction(node))
    report(node, 'a module that awaits cannot be required by CommonJS applications');
}

function checkImport(file: string, node: ts.Node, specifier: string, report: Report): void {
  const isNest = /^(@nestjs\/|reflect-metadata|prom-client|nestjs-pino)/.test(specifier);
  const isOurs = /^(nestjs-operator|@nestjs-operator\/)/.test(specifier);
  if (file.startsWith(engine)) {
    const target = resolveRelative(file, specifier);
    const inside = (path: string): boolean =>
      path.startsWith(engine) || path.startsWith(errors) || shared.includes(path.replace(/\.js$/, '.ts'));
    if (target !== undefined && !inside(target)) {
      report(node, `the engine imports ${specifier}, which lies outside of it`);
    }
  }
  if ((file.startsWith(engine) || file.startsWith(errors) || shared.includes(file)) && isNest) {
    report(node, `the engine and its errors know nothing of ${specifier}`);
  }
  if (file.startsWith(operator) && isOurs) report(node, `the library does not depend on ${specifier}`);
  if (file.startsWith('libs/apiserver/src/') && (isNest || isOurs)) {
    report(node, `the API server stands alone, without ${specifier}`);
  }
  const isLazy = ts.isCallExpression(node) || isTypeOnly(node);
  if (file.startsWith(operator) && heavyImports.includes(specifier) && !isLazy && !heavyImportsAllowed.test(file)) {
    report(node, `${specifier} is slow to load: import its types only, or load it when it is needed`);
  }
}

/** Bundlers that drop decorator metadata, such as esbuild, must not break the library's own injection. */
function checkInjection(node: ts.ClassDeclaration, report: Report): void {
  const injectable = ts
    .getDecorators(node)
    ?.some(
      ({ expression }) =>
        ts.isCallExpression(expression) &&
        /^(Injectable|Module|Catch|Controller)$/.test(expression.expression.getText()),
    );
  if (!injectable) return;
  for (const member of node.members) {
    if (!ts.isConstructorDeclaration(member)) continue;
    for (const parameter of member.parameters) {
      const inject = ts.getDecorators(parameter)?.some(({ expression }) => /^Inject\w*\(/.test(expression.getText()));
      if (!inject) report(parameter, `${parameter.name.getText()} needs @Inject(…)`);
    }
  }
}

function importedModule(node: ts.Node): string | undefined {
  const specifier =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
  return specifier && ts.isStringLiteralLike(specifier) ? specifier.text : undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function resolveRelative(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return new URL(specifier, `file:///${file}`).pathname.slice(1);
}

function accessedName(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : undefined;
}

function isName(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

function isInsideFunction(node: ts.Node): boolean {
  for (let each = node.parent; each; each = each.parent) if (ts.isFunctionLike(each)) return true;
  return false;
}

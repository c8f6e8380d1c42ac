import type { AccessDescription } from '../access/access-rule.js';
import type { HandlerDescription, OperatorDescription } from './operator-description.js';

/** The description for people to read. */
export function descriptionText(description: OperatorDescription): string {
  const { name, namespaces, resources, startup, cleanup, probes, access } = description;
  const lines = [
    `Operator ${name}, ${namespaces === undefined ? 'all namespaces' : `namespaces ${namespaces.join(', ')}`}`,
    ...resources.flatMap(({ resource, found, handlers }) => [
      '',
      `${resource}${foundText(resource, found)}`,
      ...columns(handlers.map(handlerCells)),
    ]),
    ...section('Start-up', startup.map(indented)),
    ...section('Clean-up', cleanup.map(indented)),
    ...section('Probes', columns(probes.map(({ id, origin, fails }) => [id, origin, `fails ${fails}`]))),
    ...section('Access', columns(access.map(accessCells))),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function foundText(resource: string, found: readonly string[]): string {
  if (found.length === 0) return ' (not found yet)';
  return found.length === 1 && found[0] === resource ? '' : `: ${found.join(', ')}`;
}

function handlerCells(handler: HandlerDescription): string[] {
  const { id, origin, on, fields, labels, annotations, when, finalizer, watches } = handler;
  const filters = [
    ...fields.map((field) => `field ${field}`),
    ...labels.map((label) => `label ${label}`),
    ...annotations.map((annotation) => `annotation ${annotation}`),
    ...(when ? ['when'] : []),
    ...(finalizer ? ['finalizer'] : []),
    ...watches.map((resource) => `watches ${resource}`),
  ];
  return [id, origin, on.join(', '), filters.join(', ')];
}

function accessCells({
  group,
  resource,
  verbs,
  namespace,
  names,
  need,
  purpose,
  refused,
}: AccessDescription): string[] {
  const where = namespace === undefined ? 'everywhere' : `in ${namespace}`;
  const answer =
    refused === undefined ? 'not asked' : refused.length === 0 ? 'granted' : `refused: ${refused.join(', ')}`;
  return [
    verbs.join(', '),
    `${group === '' ? 'core' : group}/${resource}${names === undefined ? '' : ` ${names.join(', ')}`}`,
    where,
    need,
    answer,
    purpose,
  ];
}

/** Lines of cells, each column as wide as its widest cell. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    indented(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  );
}

function indented(line: string): string {
  return `  ${line}`;
}

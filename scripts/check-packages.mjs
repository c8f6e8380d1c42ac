// Packs every public library as the registry would get it and checks the tarball: publint, attw, its list of files, and
// what its files refer to.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');

/** Paths in the tarball that only the workspace has a use for. */
const leftover =
  /(^|\/)(src|test|tests|__tests__|fixtures|node_modules)\/|\.(test|spec)\.|tsconfig|\.tsbuildinfo$|(^|\/)\.|\.map\.map$|(?<!\.d)\.[cm]?ts$/;

/**
 * @param {string} folder a library of the workspace
 * @param {string} scratch
 * @returns {Promise<string[]>} what is wrong with it
 */
export async function checkPackage(folder, scratch) {
  const problems = [];
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', scratch], { cwd: folder, encoding: 'utf8' }),
  );
  // npm 12 answers with an object keyed by name where npm 11 answers with a list.
  const [{ filename, files }] = Array.isArray(packed) ? packed : Object.values(packed);
  const tarball = join(scratch, filename);
  const paths = files.map((file) => file.path);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

  for (const path of paths) {
    if (leftover.test(path)) problems.push(`${path} does not belong in the package`);
    const built = /^dist\/(.+?)(\.d\.ts|\.js)(\.map)?$/.exec(path);
    if (built && !existsSync(join(folder, 'src', `${built[1]}.ts`))) {
      problems.push(`${path} has no source any more: remove dist and build again`);
    }
  }
  for (const name of ['LICENSE', 'package.json']) {
    if (!paths.includes(name)) problems.push(`${name} is missing`);
  }
  if (manifest.sideEffects !== false) problems.push('package.json must say "sideEffects": false');

  const unpacked = join(scratch, `${filename}.d`);
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  problems.push(...checkImports(unpacked, paths, manifest));

  const { messages } = await publint({ pkgDir: unpacked, pack: false, strict: true });
  for (const message of messages) problems.push(`publint: ${formatMessage(message, manifest, { color: false })}`);

  const attw = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
      tarball,
      '--profile',
      'esm-only',
      '--format',
      'ascii',
      '--no-color',
      '--ignore-rules',
      'cjs-resolves-to-esm',
    ],
    { encoding: 'utf8' },
  );
  if (attw.status !== 0) problems.push(`attw:\n${attw.stdout}${attw.stderr}`);
  return problems;
}

/** Each import of the built files must lead to a file of the package or to a package that the manifest names. */
function checkImports(unpacked, paths, manifest) {
  const problems = [];
  const named = new Set(
    [manifest.dependencies, manifest.peerDependencies, manifest.optionalDependencies].flatMap((list) =>
      Object.keys(list ?? {}),
    ),
  );
  named.add(manifest.name);
  for (const path of paths.filter((each) => /\.(js|d\.ts)$/.test(each))) {
    const text = readFileSync(join(unpacked, path), 'utf8');
    if (/["'](\/|file:|[A-Za-z]:\\)[^"'\n]*node_modules/.test(text))
      problems.push(`${path} holds a path of this machine`);
    for (const { fileName: specifier } of ts.preProcessFile(text, true, true).importedFiles) {
      if (specifier.startsWith('.')) {
        const target = posix.join(posix.dirname(path), specifier);
        if (!paths.includes(target)) problems.push(`${path} imports ${specifier}, which is not in the package`);
      } else if (!isBuiltin(specifier)) {
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        if (!named.has(name)) problems.push(`${path} imports ${name}, which package.json does not name`);
      }
    }
  }
  return problems;
}

if (import.meta.main) {
  const scratch = mkdtempSync(join(tmpdir(), 'check-packages-'));
  try {
    for (const name of readdirSync(join(root, 'libs')).sort()) {
      const folder = join(root, 'libs', name);
      if (!existsSync(join(folder, 'package.json'))) continue;
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (manifest.private === true) continue;
      const problems = await checkPackage(folder, scratch);
      console.log(`${manifest.name}: ${problems.length === 0 ? 'ok' : `${problems.length} problem(s)`}`);
      for (const problem of problems) console.error(`  ${problem}`);
      if (problems.length > 0) process.exitCode = 1;
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

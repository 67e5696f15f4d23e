import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Command } from 'commander'
import { whyUnusable } from '../shared/platform/db/is-unusable.ts'
import { readEnvFile } from './env-file.ts'
import { versionText } from './version.ts'

/**
 * All commands of `flightline`. A command imports its code only when it runs, so that `--help` needs no database and no
 * development package.
 */
const program = new Command('flightline')
  .description(
    'The service behind a flight school. Settings come from the environment and from .env, see .env.example.',
  )
  .version(versionText(), '-v, --version', 'print the version and its commit')
  .helpOption('-h, --help', 'print what a command does')
  .helpCommand(false)
  .showHelpAfterError('(flightline --help names every command)')
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'flightline: ')) })

program
  .command('start')
  .description('run everything on this machine, with a demo school: needs the development packages')
  .action(async () => (await import('../../local/start/start.ts')).runStart())
program
  .command('demo')
  .description('go from sign-up to a paid invoice and print each step: needs the development packages')
  .option('--school', 'bring a school in from the files of examples/import instead')
  .action(async (options: { school?: boolean }) => (await import('../../local/start/demo.ts')).runDemo(options))
program
  .command('api')
  .description('run an API process')
  .action(async () => (await import('../api/run-api.ts')).runApi())
program
  .command('local-api', { hidden: true })
  .description('run the API process of start')
  .action(async () => (await import('../../local/start/local-api.ts')).runLocalApi())
program
  .command('worker')
  .description('run a worker process, for all queues or for those named')
  .argument('[queues...]')
  .action(async (queues: string[]) => (await import('../workers/main.ts')).runWorker(queues))
program
  .command('migrate')
  .description('bring the database to the schema of this release, once per release')
  .option('--status', 'change nothing; name what is pending, and end with code 1 when something is')
  .action(async ({ status = false }: { status?: boolean }) => (await import('./migrate.ts')).runMigrate({ status }))
program
  .command('simulate')
  .description('run a stand-in as a process of its own: needs the development packages')
  .argument('<which>', 'payments or mail')
  .action(async (which: string) => (await import('../../local/start/simulate.ts')).runStandIn(which))
program
  .command('openapi')
  .description('write interface/openapi.json and docs/errors.md of a checkout')
  .action(async () => (await import('../api/write-openapi.ts')).writeOpenapi())

const keys = program.command('keys').description('the keys that sign tokens, and those that seal what is signed')
keys
  .command('new')
  .description('print a new key set for AUTH_KEYS or RECORD_KEYS')
  .option('--into <folder>', 'make the files of a first start there instead, those that are missing')
  .action(async ({ into }: { into?: string }) => {
    const { makeKeysIn, printNewKeys } = await import('./keys.ts')
    await (into ? makeKeysIn(into) : printNewKeys())
  })
keys
  .command('rotate')
  .description('put a new key in front of those of AUTH_KEYS, and print the set')
  .option('--file <file>', 'read and replace the set of this file instead')
  .action(async ({ file }: { file?: string }) => (await import('./keys.ts')).rotateKeys(file))

const owner = program
  .command('owner')
  .description('owners of organizations; each act is in the audit log and mailed to all owners')
owner
  .command('create')
  .description('make a person an owner; prints a link for a new account to set its password')
  .requiredOption('--organization <id>', 'the organization, see org list', Number)
  .requiredOption('--email <address>')
  .option('--name <name>', 'the name of a new account')
  .option('--password-stdin', 'set the password of a new account to what standard input says')
  .action(async ({ passwordStdin = false, ...options }) =>
    (await import('./owner.ts')).createOwner({ ...options, passwordStdin }),
  )
owner
  .command('reset-password')
  .description('print a link with which an owner sets a new password, for one hour')
  .requiredOption('--email <address>')
  .option('--password-stdin', 'set the password to what standard input says')
  .action(async ({ email, passwordStdin = false }) =>
    (await import('./owner.ts')).resetOwnersPassword({ email, passwordStdin }),
  )
owner
  .command('sign-out')
  .description('end all tokens, links, devices and connected accounts of an owner')
  .requiredOption('--email <address>')
  .action(async ({ email }) => (await import('./owner.ts')).signOutOwnerEverywhere(email))

const org = program.command('org').description('the organizations of this installation')
org
  .command('list')
  .description('name them, with their members')
  .option('--deleted', 'those that were deleted, with who did it and what they had')
  .action(async ({ deleted = false }: { deleted?: boolean }) => {
    const { listDeletedOrganizations, listOrganizations } = await import('./org.ts')
    await (deleted ? listDeletedOrganizations() : listOrganizations())
  })
org
  .command('create')
  .description('found one with an owner; prints a link for a new account to set its password')
  .requiredOption('--name <name>', 'its name')
  .requiredOption('--email <address>', 'the address of its owner, and its own')
  .requiredOption('--phone <number>', 'its phone number')
  .option('--owner-name <name>', 'the name of a new account')
  .option('--time-zone <zone>', 'the zone of its first location, as America/Los_Angeles', 'UTC')
  .option('--location <name>', 'the name of its first location', 'Main base')
  .action(async (options) => (await import('./owner.ts')).createOrganizationFor(options))
org
  .command('show')
  .description('print the figures of one')
  .argument('<id>', 'its id', Number)
  .action(async (id: number) => (await import('./org.ts')).showOrganization(id))

const jobs = program.command('jobs').description('jobs that are stuck or were given up')
jobs
  .command('stuck')
  .description('list what is due and not done: how many of each kind, since when, how often tried, and the last reason')
  .action(async () => (await import('./jobs.ts')).listStuckJobs())
jobs
  .command('failed')
  .description('list those that were given up, latest first, with the reason')
  .option('--limit <count>', 'at most this many', Number, 50)
  .action(async ({ limit }) => (await import('./jobs.ts')).listFailedJobs(limit))
jobs
  .command('retry')
  .description('try these again')
  .argument('<ids...>', 'their ids')
  .action(async (ids: string[]) => (await import('./jobs.ts')).retryJobs(ids))

program
  .command('mail')
  .description('the mail server')
  .command('test')
  .description('send one mail through SMTP_URL')
  .argument('<address>', 'to whom')
  .action(async (address: string) => (await import('./mail.ts')).sendTestMail(address))
program
  .command('doctor')
  .description(
    'look at configuration, database, schema, clock, queue, mail, storage, processor and disk; code 1 when one fails',
  )
  .action(async () => (await import('./doctor.ts')).runDoctor())

program
  .command('backup')
  .description('write database and uploads into a new folder, while the service runs')
  .argument('<folder>')
  .option('--with-keys', 'AUTH_KEYS and RECORD_KEYS too; without the former nothing can be restored')
  .option('--recipient <age1...>', 'encrypt for this recipient of age; may be given several times', listed, [])
  .action(async (folder: string, { withKeys = false, recipient }) =>
    (await import('./backup/backup.ts')).runBackup(folder, { withKeys, recipients: recipient }),
  )
program
  .command('journal')
  .description('note beside a backup what was erased or revoked since; to be run every few minutes')
  .argument('<folder>', 'of the backup')
  .action(async (folder: string) => (await import('./backup/journal.ts')).runJournal(folder))
program
  .command('restore')
  .description('load a backup into an empty database; everything that leaves the service is held then')
  .argument('<folder>')
  .option('--keep-sessions', 'sign-ins, mailed links and invitations go on')
  .option('--identity <file>', 'the file of age identities that decrypts it')
  .action(async (folder: string, { keepSessions = false, identity }) =>
    (await import('./backup/restore.ts')).runRestore(folder, { keepSessions, identity }),
  )
program
  .command('resume')
  .description('compare with the payment gateway, and let leave the service again what a restore held')
  .option('--despite-differences', 'although they differ')
  .action(async ({ despiteDifferences = false }) =>
    (await import('./backup/restore.ts')).runResume({ despiteDifferences }),
  )

// When the reader of the output closes the pipe (`flightline jobs retry … | head`), the command does the rest of its work
// without output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  readEnvFile()
  keepCompiled()
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`flightline: ${lineOf(error)}\n`)
  process.exitCode = 1
}

/**
 * Keeps the compiled code of the service in `DATA_DIR`, when that exists, so that the next start takes half of the
 * processor time. `NODE_COMPILE_CACHE` names another place; the image has its own.
 */
function keepCompiled(): void {
  const folder = process.env.DATA_DIR || './.data'
  if (existsSync(folder)) enableCompileCache(join(folder, 'compiled'))
}

/** Collects the values of an option that may be given several times. */
function listed(value: string, earlier: string[]): string[] {
  return [...earlier, value]
}

/** Returns an error as one line. For a package or folder that is not installed, the line tells how to install it. */
function lineOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ERR_MODULE_NOT_FOUND') return whyUnusable(error) ?? message.split('\n')[0] ?? ''
  return `a part is not installed: npm ci, or the image's target demo, has it (${message.split('\n')[0]})`
}

import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectFigure } from '../support/figures.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync(['src/**/*.ts', 'local/**/*.ts', 'bench/**/*.ts', 'bench/peers/*.mjs', 'bin/*.mjs'], {
  cwd: root,
  exclude: ['bench/peers/{node_modules,generated}/**'],
}).sort()
const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1

const LONGEST = 250
const SHORTEST = 25

/** Kinds of file whose one subject is often small: what the guides prescribe for an endpoint, a job and a notification. */
const shortKinds =
  /\.(schemas|routes|view|queries|access|tables|states|jobs|processor|notifications|sweeps|rules|port|errors)\.ts$/
/** A use case of a context, which is often one step. */
const useCase = /^src\/shared\/(?!platform|composition)(?:[\w-]+\/)+[\w-]+\.ts$/

/** Other short files, and why each stands alone. */
const shortFiles: Record<string, string> = {
  'src/shared/platform/adapters/webhooks/resolve-name.ts': 'webhooks and their own listeners resolve names with it',
  'src/workers/platform/sweep.ts': 'the lists of sweeps of all contexts use it',
  'bench/peers/generate.mjs': 'a process of its own, started by the bench',
  'src/cli/env-file.ts': 'reads the file that the rule beside it judges',
  'bench/floors/simulator.ts': 'a process of its own, started by the bench',
  'bench/floors/mail-sink.ts': 'a process of its own, started by the bench',
  'src/api/http/iso.ts': 'every view formats instants with it',
  'src/api/http/local-visitor.ts': 'the front page and the error handler use it',
  'src/api/http/services.ts': 'what the API process is built from',
  'src/api/insight/reports/chart.ts': 'a chart as data; the parts that draw it are loaded later',
  'src/api/http/recorded-examples.ts': 'reads a file that a command writes',
  'local/demo/import-school/write-example-files.ts': 'a command',
  'local/demo/school/days.ts': 'all parts of the demo school count days from the same start',
  'src/api/http/example-now.ts': 'the record of the examples and the document hold the clock here',
  'local/servers/host-header-guard.ts': 'three servers of the all-in-one use it',
  'src/cli/version.ts': 'asks git, where there is one',
  'local/examples/portability.ts': 'the examples of an area',
  'src/shared/composition/operation-works.ts': 'the list of how long work is done',
  'src/shared/composition/subscriptions.ts': 'the list of who reacts to events',
  'src/shared/platform/db/single-client.ts': 'every connection beside the pools',
  'src/shared/platform/adapters/storage/owned-stream.ts': 'both storages write with it',
  'src/shared/platform/config/version.ts': 'the one reader of package.json',
  'src/shared/platform/kernel/problem-codes.ts': 'the codes that lists of problems have beside those of errors',
  'src/shared/platform/kernel/mailbox.ts': 'limits of several contexts count mailboxes',
  'src/shared/platform/contracts/asking-events.ts': 'a part of the list of events, which is long',
  'src/shared/platform/contracts/event.types.ts': 'transactions use it, which do not know the tables',
  'src/shared/platform/deliveries/undelivered-mail.types.ts': 'rules use it, which must not reach the table',
  'src/shared/platform/kernel/steps.ts': 'rules yield after steps, and must not reach what runs them',
  'src/shared/platform/kernel/clock.ts': 'rules must not reach it, but may reach the rest of the kernel',
  'src/api/reference/html.ts': 'the escaped template that all pages of the reference use',
  'local/openapi/lint-openapi.ts': 'a command',
  'local/schema/landed-migrations.ts': 'asks git, where there is one',
  'local/start/local-api.ts': 'a process of the all-in-one',
  'src/shared/platform/adapters/mail/sender-address.ts': 'a port and its adapter use it',
  'src/shared/platform/db/is-unusable.ts':
    'API and workers tell by it that a database lacks migrations of this release',
  'src/shared/platform/db/local-time.ts': 'queries of dispatch and insight group by local days with it',
  'src/shared/platform/db/database-clock.ts': 'processes and tests follow the clock of the database by it',
  'src/shared/platform/seals/seal.ts': 'what is signed in any context is sealed with it',
  'src/shared/scheduling/rules/offer-facts.types.ts': 'rules and queries use it, and the types of facts are long',
  'src/shared/scheduling/calendar/invitation.ts': 'mails and their tests use it',
}

/** What a file of a context is, by the end of its name. */
const kinds = /\.(rules|states|queries|access|tables|types|jobs|errors)\.ts$/

/** The first words of use cases: what the service does. */
const verbs = new Set(
  `accept add admit amend answer apply approve assert bring buy cancel change charge claim close complete confirm connect convert copy correct countersign create
  decide delete deliver emit end enrol erase expire export find finish follow give grade graduate hash insert invite invoice issue join judge leave load
  make mark merge notify offer pay pick plan post preview propose publish postpone ramp read rebuild recompute reconcile record receive refund register release
  remind remove reopen replace replay report request reset restore resume reverse review rotate search set settle sign solve start switch
  sync test unassign update verify void withdraw write`.split(/\s+/),
)

/** Files of contexts that are neither: catalogs and templates are data, the others are values that use cases share. */
const catalogs = /^src\/shared\/training\/(templates|endorsements\/catalog)\//
const values = new Set([
  'src/shared/communication/notifications/unsubscribe-token.ts',
  'src/shared/scheduling/calendar/booking-event.ts',
  'src/shared/scheduling/calendar/invitation.ts',
  'src/shared/billing/flight-bill/flight-charge.ts',
  'src/shared/billing/invoices/gateway-keys.ts',
  'src/shared/communication/webhooks/attempt-limits.ts',
  'src/shared/communication/webhooks/sealed-secret.ts',
  'src/shared/communication/webhooks/signature.ts',
  'src/shared/identity/accounts/password-judge.ts',
  'src/shared/identity/accounts/password-thread.ts',
  'src/shared/scheduling/rules/problems.ts',
  'src/shared/training/endorsements/endorsement-templates.ts',
])

const isUseCase = (file: string) => useCase.test(file) && verbs.has(basename(file, '.ts').split('-')[0] ?? '')
const mayBeShort = (file: string) => shortKinds.test(file) || isUseCase(file)

describe('a file has one subject', () => {
  test('no file is longer than 250 lines', () => {
    expect(files.filter((file) => lines(file) > LONGEST)).toEqual([])
  })

  test('a file of fewer than 25 lines has a reason that its kind or the list gives', () => {
    const short = files.filter((file) => lines(file) < SHORTEST && !mayBeShort(file))
    expect(short.filter((file) => !(file in shortFiles))).toEqual([])
  })

  test('the list of short files names no file that has grown or gone, or may be short anyway', () => {
    const isListedInVain = (file: string) => !files.includes(file) || lines(file) >= SHORTEST || mayBeShort(file)
    expect(Object.keys(shortFiles).filter(isListedInVain)).toEqual([])
  })
})

describe('the name of a file says what it is', () => {
  const ofContexts = files.filter((file) => /^src\/shared\/(?!platform|composition)/.test(file))

  test('a file of a context has a kind, or is a use case that begins with a verb', () => {
    const named = (file: string) => kinds.test(file) || verbs.has(basename(file, '.ts').split('-')[0] ?? '')
    const unnamed = ofContexts.filter((file) => !named(file) && !catalogs.test(file))
    expect(unnamed.filter((file) => !values.has(file))).toEqual([])
  })

  test('a folder of src/shared is a context', () => {
    const contexts = readdirSync(join(root, 'src/shared'), { withFileTypes: true }).filter((one) => one.isDirectory())
    expectFigure('contexts of `src/shared`', contexts.length)
  })

  test('the list of values names no file that has gone', () => {
    expect([...values].filter((file) => !files.includes(file))).toEqual([])
  })
})

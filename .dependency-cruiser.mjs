/** Who may import whom; docs/architecture.md tells why. A type counts as an import. */

const packages = (...names) => names.map((name) => `(^|node_modules/)${name}(/|$)`)

/** The contexts of src/shared, lowest first: each imports those before it, and none after it. */
const contexts = [
  'platform',
  'identity',
  'communication',
  'fleet',
  'qualification',
  'scheduling',
  'dispatch',
  'billing',
  'training',
  'insight',
  'workflows',
  'portability',
  'composition',
]

/** The folders of the two processes, lowest first. Each imports of its own process only those before it. */
const ofApi = ['http', 'pdf', 'pages', ...contexts, 'reference', 'service']
const ofWorkers = contexts

/** The stand-ins and what runs the service on one machine, lowest first. */
const ofLocal = ['servers', 'mail', 'payments', 'weather', 'webhooks', 'postgres', 'demo', 'start', 'schema', 'examples', 'openapi', 'pictures', 'checks']

/**
 * Returns the rules that folders of one place keep their order: none imports a later one, none imports a file of the
 * place itself, and none is missing from the order.
 */
const inOrder = (place, order, comment) => [
  ...order.slice(0, -1).map((folder, index) => ({
    name: `${place.replaceAll('/', '-')}-${folder.replaceAll('|', '-')}-upwards`,
    comment,
    from: { path: `^${place}/(${folder})/` },
    to: { path: `^${place}/(${order.slice(index + 1).join('|')})/` },
  })),
  {
    name: `every-folder-of-${place.replaceAll('/', '-')}-in-the-order`,
    comment: 'A new folder gets its place in the order.',
    from: {},
    to: { path: `^${place}/[^/]+/`, pathNot: `^${place}/(${order.join('|')})/` },
  },
]

/** What stands above the folders of a process: its lists of all contexts, which no folder imports. */
const above = (place) => ({
  name: `${place.replaceAll('/', '-')}-lists-above-all`,
  comment: 'A list of all contexts is above them: who needs it is given it.',
  from: { path: `^${place}/[^/]+/` },
  to: { path: `^${place}/[^/]+$` },
})

const upwards = [
  ...inOrder('src/shared', contexts, 'A context imports those below it. What joins several of them is a workflow.'),
  ...inOrder('src/api', ofApi, 'A view of several contexts belongs to the highest; a route, to the context of what it changes.'),
  ...inOrder('src/workers', ofWorkers, 'A processor belongs to the context of its job. What it needs of a higher one, it is given.'),
  ...inOrder('local', ofLocal, 'What starts the service is above what it starts.'),
  above('src/api'),
  above('src/workers'),
]

/** The domains of a context, lowest first: each imports those before it. Domains in one string may import each other. */
const domains = {
  platform: ['kernel', 'tracing', 'config', 'contracts', 'db', 'adapters', 'authz', 'events', 'seals', 'jobs', 'retention', 'storage', 'deliveries', 'operations'],
  identity: ['organizations', 'locations', 'accounts', 'members', 'profiles', 'groups', 'joining'],
  communication: ['notifications|announcements', 'meetings', 'webhooks'],
  fleet: ['resources', 'maintenance'],
  qualification: ['approvals', 'documents', 'minimums', 'currencies'],
  scheduling: ['weather', 'rules', 'closures', 'openings', 'reservations', 'at-risk', 'waitlist', 'booking-requests', 'offerings', 'calendar', 'recoveries'],
  billing: ['flight-bill', 'ledger', 'invoices|payments|credit-notes|packages|autopay', 'fees', 'cards', 'statements', 'pay-runs'],
  training: ['grants', 'courses', 'knowledge-tests', 'enrollments', 'records', 'endorsements', 'templates', 'readiness'],
  insight: ['reports', 'search', 'todo', 'logbook'],
  portability: ['reading', 'imports', 'exports'],
}

const domainsUpwards = Object.entries(domains).flatMap(([context, order]) =>
  inOrder(
    `src/shared/${context}`,
    order,
    'A domain imports those below it in its context. What joins several of them belongs to the highest.',
  ),
)

const forbidden = [
  {
    name: 'every-file-in-a-context',
    comment: 'There is no room beside the contexts.',
    from: {},
    to: { path: '^src/shared/[^/]+$' },
  },
  {
    name: 'kernel-imports-nothing',
    comment: 'Money, instants, zones and hours stand on the language and the temporal polyfill alone.',
    from: { path: '^src/shared/platform/kernel/' },
    to: { pathNot: ['^src/shared/platform/kernel/', ...packages('temporal-polyfill')] },
  },
  {
    name: 'rules-are-pure',
    comment: 'Rules and transition tables reach no machinery, directly or through others: no ORM, clock or environment.',
    from: { path: '[.](rules|states)[.]ts$' },
    to: {
      path: [
        '[.](tables|queries|jobs)[.]ts$',
        '^src/shared/platform/(db|config|jobs)/',
        '^src/shared/platform/adapters/(?!.*[.]port[.]ts$)',
        '^src/shared/platform/kernel/clock[.]ts$',
        'node_modules/(?!temporal-)',
        '^(node:)?(fs|crypto|process|child_process|net|http|timers)(/|$)',
      ],
      reachable: true,
    },
  },
  {
    name: 'shared-stands-alone',
    comment: 'What the processes share knows none of them.',
    from: { path: '^src/shared/' },
    to: { path: '^(src/(api|workers|cli)|local)/' },
  },
  {
    name: 'api-and-workers-apart',
    comment:
      'The API and the workers are processes of their own; they meet in src/shared. One file is excepted: webhooks send records ' +
      'as the API answers them, so webhook-records.ts reads with the views of the API.',
    from: { path: '^src/(api|workers)/', pathNot: '^src/workers/webhook-records[.]ts$' },
    to: { path: '^(src/(api|workers)|local)/', pathNot: '^src/$1/' },
  },
  {
    name: 'webhook-records-by-views',
    comment: 'Of the API, webhook-records.ts uses only views.',
    from: { path: '^src/workers/webhook-records[.]ts$' },
    to: { path: '^src/api/', pathNot: '[.]view[.]ts$' },
  },
  {
    name: 'local-from-commands',
    comment: 'The service needs nothing of what runs it on one machine: a command loads it when it runs.',
    from: { path: '^src/' },
    to: { path: '^local/', dependencyTypesNot: ['dynamic-import'] },
  },
  {
    name: 'local-from-the-command-line',
    comment: 'Only commands load what runs the service on one machine.',
    from: { path: '^src/', pathNot: '^src/cli/' },
    to: { path: '^local/' },
  },
  {
    name: 'fastify-in-the-api',
    comment: 'Use cases and jobs do not know that there is HTTP.',
    from: { path: '^src/', pathNot: '^src/api/' },
    to: { path: packages('fastify', 'fastify-type-provider-zod', '@fastify', '@bull-board') },
  },
  {
    name: 'vendors-in-adapters',
    comment: 'Each vendor’s SDK is known to its adapter only.',
    from: { path: '^src/', pathNot: '^src/shared/platform/adapters/' },
    to: { path: packages('stripe', 'nodemailer', 'firebase-admin', 'oauth4webapi', '@aws-sdk', 'metar-taf-parser', '@opentelemetry') },
  },
  {
    name: 'bullmq-in-jobs',
    comment: 'Whoever owes a job writes it to the outbox; the queue is the business of jobs and workers.',
    from: { path: '^src/', pathNot: '^src/(shared/platform/jobs|workers)/' },
    to: { path: packages('bullmq') },
  },
  {
    name: 'zod-at-the-edges',
    comment: 'Zod reads what comes from outside: requests, job payloads, settings, what other services answer, files that are brought in.',
    from: { path: '^src/', pathNot: ['^src/(api|cli)/', '^src/shared/platform/(adapters|config|contracts)/', '^src/shared/platform/text[.]schemas[.]ts$', '^src/shared/portability/reading/', '[.]jobs[.]ts$', '-settings[.]ts$'] },
    to: { path: packages('zod') },
  },
  { name: 'no-cycles', from: {}, to: { circular: true } },
  { name: 'resolvable', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no-development-packages',
    comment: 'What the product runs on is a dependency; what only the all-in-one runs on is a development dependency.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
  },
]

export default {
  forbidden: [...forbidden, ...upwards, ...domainsUpwards].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // The API of TypeScript's compiler, which the default parser wants, is not part of TypeScript 7.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
}

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

const upwards = contexts.slice(0, -1).map((context, index) => ({
  name: `${context}-upwards`,
  comment: 'A context imports those below it. What joins several of them is a workflow.',
  from: { path: `^src/shared/${context}/` },
  to: { path: `^src/shared/(${contexts.slice(index + 1).join('|')})/` },
}))

/** The domains of a context, lowest first: each imports those before it. Domains in one string may import each other. */
const domains = {
  identity: ['organizations', 'locations', 'accounts', 'members', 'profiles', 'groups', 'joining'],
  communication: ['notifications|announcements', 'meetings', 'webhooks'],
  fleet: ['resources', 'maintenance'],
  qualification: ['approvals', 'documents', 'minimums', 'currencies'],
  scheduling: ['weather', 'rules', 'closures', 'openings', 'reservations', 'at-risk', 'booking-requests', 'offerings', 'calendar'],
  billing: ['flight-bill', 'ledger', 'invoices|payments|credit-notes|packages|autopay', 'cards', 'statements', 'pay-runs'],
  training: ['grants', 'courses', 'tests', 'enrollments', 'records', 'endorsements', 'templates'],
  insight: ['reports', 'search', 'todo'],
  portability: ['reading', 'imports', 'exports'],
}

const domainsUpwards = Object.entries(domains).flatMap(([context, order]) => [
  ...order.slice(0, -1).map((domain, index) => ({
    name: `${context}-${domain.replaceAll('|', '-')}-upwards`,
    comment: 'A domain imports those below it in its context. What joins several of them belongs to the highest.',
    from: { path: `^src/shared/${context}/(${domain})/` },
    to: { path: `^src/shared/${context}/(${order.slice(index + 1).join('|')})/` },
  })),
  {
    name: `every-domain-of-${context}-in-the-order`,
    comment: 'A new domain gets its place in the order of its context.',
    from: {},
    to: { path: `^src/shared/${context}/[^/]+/`, pathNot: `^src/shared/${context}/(${order.join('|')})/` },
  },
])

const forbidden = [
  {
    name: 'every-file-in-a-context',
    comment: 'There is no room beside the contexts.',
    from: {},
    to: { path: '^src/shared/', pathNot: `^src/shared/(${contexts.join('|')})/` },
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
    comment: 'The API and the workers are processes of their own; they meet in src/shared. Webhooks answer as the API does.',
    from: { path: '^src/(api|workers)/' },
    to: { path: '^(src/(api|workers)|local)/', pathNot: ['^src/$1/', '[.]view[.]ts$'] },
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
    from: { path: '^src/', pathNot: ['^src/(api|cli)/', '^src/shared/platform/(adapters|config|jobs)/', '^src/shared/platform/text[.]schemas[.]ts$', '^src/shared/portability/reading/', '[.]jobs[.]ts$', '-settings[.]ts$'] },
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

import { Readable } from 'node:stream'
import { z } from 'zod'
import { csvLines } from '../../../shared/insight/reports/write-csv-lines.ts'
import { MAX_OBJECT_BYTES } from '../../../shared/platform/adapters/storage/file-types.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { uploadExpiresAt } from '../../../shared/platform/storage/uploads.ts'
import { importKindNames, templateOf } from '../../../shared/portability/imports/find-import-kind.ts'
import { findObject } from '../../../shared/portability/imports/import.access.ts'
import { findRefusedRows, type RefusedRow } from '../../../shared/portability/imports/refused.queries.ts'
import { startImport } from '../../../shared/portability/imports/start-import.ts'
import { portabilityErrors } from '../../../shared/portability/portability.errors.ts'
import { dateFormats } from '../../../shared/portability/reading/dates.rules.ts'
import { PROBLEM_COLUMN } from '../../../shared/portability/reading/header.rules.ts'
import { encodings } from '../../../shared/portability/reading/read-text.ts'
import { accepted } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { envelope, IdParams, name, oneLine } from '../../http/schemas.ts'
import { Operation, operationView } from '../../platform/operations/operation.view.ts'
import { signedUrlData } from '../../platform/storage/signed-files.ts'
import { assertReadsRows, readOperation } from '../../workflows/operations/operations.routes.ts'

const tag = 'Imports'

/** The most characters of a file in the body. */
const MOST_TEXT = 900 * 1024
const MOST_ROWS = 1_000

const ImportBody = z
  .object({
    kind: z.enum(importKindNames).meta({ choices: 'ImportKind' }),
    format: z
      .enum(['csv', 'json'])
      .meta({ choices: 'ImportFormat' })
      .default('csv')
      .describe('The format of `text`; `json`: an array of objects'),
    rows: z
      .array(z.record(z.string().max(200), z.unknown()))
      .min(1)
      .max(MOST_ROWS)
      .optional()
      .describe(
        'The rows as objects, with the names of columns as keys. Give exactly one of `rows`, `text` and `fileName`',
      ),
    text: z.string().min(1).max(MOST_TEXT).optional().describe('The content of a file'),
    fileName: name(255)
      .optional()
      .describe(
        'The name of a file of up to 25 MiB that will be uploaded. Its extension, `.csv` or `.json`, decides the ' +
          'format. The answer has a signed upload, which works once, for 15 minutes. The import is `queued` until the file ' +
          'arrives, and `failed` when it does not within an hour',
      ),
    dryRun: z.boolean().default(false).describe('`true`: reports what the import would do, and writes nothing'),
    atomic: z
      .boolean()
      .default(false)
      .describe('`true`: imports all rows, or none if one is refused. `false`: refused rows do not stop the others'),
    dateFormat: z
      .enum(dateFormats)
      .default('auto')
      .describe(
        'The order of day and month. ISO dates are always recognized. `auto`: a date whose day is above 12 decides ' +
          'the order; without one the import fails (`AMBIGUOUS_DATES`, with both readings in `details.readings`)',
      ),
    encoding: z
      .enum(encodings)
      .optional()
      .describe('Only needed for `windows-1252`; UTF-8, and UTF-16 with a byte order mark, are detected'),
  })
  .refine(({ rows, text, fileName }) => [rows, text, fileName].filter((one) => one !== undefined).length === 1, {
    path: ['rows'],
    message: fieldErrors.givesOneOf({ choices: 'rows, text and fileName' }),
    when: ({ issues }) => issues.length === 0,
  })

const TemplateParams = z.object({ kind: oneLine(40).describe('A `kind` of `POST /imports`') })

/** The endpoints with which a school imports its records. Implements interface §Imports. */
export const importRoutes: Routes = (on) => {
  on.get('/imports/templates/:kind', {
    id: 'readImportTemplate',
    access: admins,
    tag,
    summary: 'Read the template of a kind of import',
    description:
      'Returns a CSV file with all columns and one example row. A file to import needs the columns that its kind ' +
      'requires, in any order. Case, spaces and punctuation in the names of columns do not matter. Unknown columns ' +
      'are ignored.',
    params: TemplateParams,
    answers: { 200: null },
    formats: ['csv'],
    errors: [portabilityErrors.noSuchTemplate],
    read: async ({ params }) =>
      fileAnswer(csvLines(templateOf(params.kind), { bom: true }), 'csv', { name: params.kind }),
  })

  on.post('/imports', {
    id: 'importRecords',
    access: admins,
    tag,
    rateLimit: { organization: 'imports' },
    summary: 'Import records from a spreadsheet',
    description:
      'Starts an operation that imports the rows of a file. Each row has its outcome: `created`, `updated`, ' +
      '`unchanged` or `refused`, with the reasons. A row is matched to a record by `externalId`, or else by name, ' +
      'tail number or email address, so importing the same file again changes nothing. A blank cell leaves the ' +
      'stored value. A file that cannot be read is `failed`, with `result.error`, and writes nothing. Imports of ' +
      'an organization run one after another. A file has at most 50,000 rows and 200 columns, with at most 32 KiB ' +
      'in a cell, or 512 KiB of JSON. The sent data are deleted when read, at the latest after a day.',
    body: ImportBody,
    answers: { 202: envelope(Operation, { signedUrlData: signedUrlData.signedUrlData.optional() }) },
    errors: [
      platformErrors.emailNotVerified,
      portabilityErrors.fileOfImport,
      portabilityErrors.importsWaiting,
      platformErrors.tooManyOperations,
    ],
    secret: true,
    write: (tx, { actor, body }) => {
      const { rows, text = '', fileName, encoding = null, format, ...rest } = body
      const sent = rows ? { format: 'json' as const, content: JSON.stringify(rows) } : { format, content: text }
      return startImport(tx, actor, { ...rest, encoding, file: fileName === undefined ? sent : { fileName } })
    },
    answer: async ({ id }, { db, actor, services }) => {
      const operation = operationView((await findOperation(db, { actor, kinds: ['import'] }, id))!)
      const object = await findObject(db, { organizationId: actor.organizationId, operationId: id })
      if (!object) return accepted(operation)
      const { storageKey: key, contentType, createdAt } = object
      const policy = { key, contentType, maxBytes: MAX_OBJECT_BYTES, expiresAt: uploadExpiresAt(createdAt) }
      return accepted(operation, { signedUrlData: [await services.storage.presignUpload(policy)] })
    },
  })

  on.get('/imports/:id/errors', {
    id: 'readImportErrors',
    access: admins,
    tag,
    summary: 'Download the refused rows of an import',
    description:
      'Returns a CSV file with the refused rows as they were sent, and a column `problem`. Correct the rows and ' +
      'import the file; the column is ignored then. A cell that is too long is cut. Allowed for the admin who ' +
      'started the import, and for owners. Rows are kept for a day.',
    params: IdParams,
    answers: { 200: null },
    formats: ['csv'],
    errors: [platformErrors.noSuchRecord],
    read: async ({ services, db, actor, params }) => {
      const operation = await readOperation(db, actor, params.id)
      if (operation.kind !== 'import') throw platformErrors.noSuchRecord()
      assertReadsRows(actor, operation)
      const of = { organizationId: actor.organizationId, operationId: operation.id }
      const lines = errorLines(findRefusedRows(services.database.db, of))
      return fileAnswer(Readable.from(lines, { objectMode: false }), 'csv', { name: `errors-${operation.id}` })
    },
  })
}

/** Yields the refused rows as parts of a CSV file that can be imported again. */
async function* errorLines({ header, pages }: ReturnType<typeof findRefusedRows>): AsyncGenerator<Buffer> {
  const names = await header
  const read = names.flatMap((name, at) => (name.toLowerCase() === PROBLEM_COLUMN ? [] : [at]))
  yield csvLines([[...read.map((at) => names[at]), PROBLEM_COLUMN]], { bom: true })
  for await (const rows of pages) {
    yield csvLines(rows.map(({ cells, problems }) => [...read.map((at) => cells[at] ?? ''), inWords(problems)]))
  }
}

function inWords(problems: RefusedRow['problems']): string {
  return problems.map(({ column, message }) => (column === null ? message : `${column}: ${message}`)).join('; ')
}

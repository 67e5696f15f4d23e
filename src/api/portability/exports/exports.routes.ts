import { z } from 'zod'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { linkExpiresAt } from '../../../shared/platform/storage/uploads.ts'
import { readPersonsData, startPersonExport } from '../../../shared/portability/exports/export-person.ts'
import { startDownload, startExport } from '../../../shared/portability/exports/start-export.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { accepted, ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { envelope, IdParams, Instant } from '../../http/schemas.ts'
import { Operation, operationView } from '../../platform/operations/operation.view.ts'

const tag = 'Exports'

const Proof = z.object({ password: PasswordAgain })

const PersonsData = z
  .object({
    createdAt: Instant,
    account: z.record(z.string(), z.unknown()),
    memberships: z
      .array(z.record(z.string(), z.unknown()))
      .describe('One entry per membership, with `organization`, `orgUserId`, `membership` and `records`'),
  })
  .meta({ id: 'PersonsData' })

const ExportedFile = z
  .object({
    url: z.string(),
    fileName: z.string(),
    bytes: z.int(),
    expiresAt: Instant.describe('When the link expires'),
  })
  .meta({ id: 'ExportedFile' })

/** The endpoints with which a school exports its records. Implements interface §Exports. */
export const exportRoutes: Routes = (on) => {
  on.post('/exports', {
    id: 'exportRecords',
    access: ['owner'],
    verified: true,
    tag,
    summary: 'Export all records of the organization',
    description:
      'Starts an operation that writes all records, as they are at one instant, to a ZIP archive. `import/` has ' +
      'CSV files for `POST /imports`, to be imported in the order of the manifest; `records/` has every table as ' +
      'CSV and as JSON Lines; `files/` has the uploaded and issued files; `manifest.json` has counts, SHA-256 sums ' +
      'and, as `missing`, the files that the storage has lost. Passwords, tokens and secrets are left out. The ' +
      'archive is kept for seven days. All owners are mailed when the export starts, when it is done, and at each ' +
      'download. Requires a recent sign-in, or `password`. At most 2 per day.',
    body: Proof,
    answers: { 202: envelope(Operation) },
    errors: [workflowsErrors.exportRunning, platformErrors.tooManyOperations],
    asksAgain: 'always',
    rateLimit: { organization: 'exports' },
    write: (tx, { actor }) => startExport(tx, actor),
    answer: async ({ id }, { db, actor }) =>
      accepted(operationView((await findOperation(db, { actor, kinds: ['export'] }, id))!)),
  })

  on.post('/users/export', {
    id: 'exportPerson',
    access: 'account',
    verified: true,
    tag,
    summary: 'Export what the service holds about you',
    description:
      'Starts an operation that writes a JSON file with the caller’s account and, over all organizations, each ' +
      'membership with its roles and records. Other people appear as ids, and notes by staff are left out. The ' +
      'file is kept for seven days; `POST /exports/{id}/download` returns a link to it. An account without an ' +
      'organization gets the same JSON as `data` of a 200. Requires a recent sign-in, or `password`. At most 1 per ' +
      'day; not with an API key.',
    body: Proof,
    answers: { 200: envelope(PersonsData), 202: envelope(Operation) },
    errors: [workflowsErrors.exportRunning, platformErrors.tooManyOperations],
    asksAgain: 'always',
    rateLimit: { account: 'personExports' },
    secret: true,
    write: async (tx, { actor }) => actor && startPersonExport(tx, actor),
    answer: async (started, { db, services, actor, account, now }) => {
      if (!started || !actor) return ok(await readPersonsData(services.database, account.accountId, now))
      return accepted(operationView((await findOperation(db, { actor, kinds: ['person_export'] }, started.id))!))
    },
  })

  on.post('/exports/:id/download', {
    id: 'downloadExport',
    access: 'member',
    verified: true,
    tag,
    summary: 'Get a link to the file of an export',
    description:
      'Returns a link to the file of an export that is done; `{id}` is the id of its operation. The link works for ' +
      '15 minutes, for anyone who has it. Only owners can download the export of an organization, and all owners are ' +
      'mailed at each download; the export of a person is for that person only. Each download is recorded in the ' +
      'audit log. Requires a recent sign-in, or `password`.',
    params: IdParams,
    body: Proof,
    answers: { 200: envelope(ExportedFile) },
    errors: [platformErrors.noSuchRecord],
    secret: true,
    asksAgain: 'always',
    write: (tx, { actor, params }) => startDownload(tx, actor, params.id),
    answer: async ({ storageKey, ...file }, { services, now }) => {
      const expiresAt = linkExpiresAt(now)
      const url = await services.storage.presignRead({ key: storageKey, fileName: file.fileName, expiresAt })
      return ok({ ...file, url, expiresAt: iso(expiresAt) })
    },
  })
}

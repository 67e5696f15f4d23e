import { z } from 'zod'
import { addFiles } from '../../../shared/fleet/resources/add-files.ts'
import { deleteFile, updateFile } from '../../../shared/fleet/resources/change-file.ts'
import { findResource } from '../../../shared/fleet/resources/resource.queries.ts'
import { readableVisibilities } from '../../../shared/fleet/resources/resource.rules.ts'
import { findFiles, listFiles } from '../../../shared/fleet/resources/resource-file.queries.ts'
import { roomErrors } from '../../../shared/identity/identity.errors.ts'
import { fileKeepers } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { signedUrlData, signUpload } from '../../platform/storage/signed-files.ts'
import { FileParams, FilePatch, FilesBody } from './files.schemas.ts'
import { ResourceFile, resourceFileView, withLink } from './resource-file.view.ts'

const tag = 'Resources'

/** The endpoints of the files of an aircraft. */
export const fileRoutes: Routes = (on) => {
  on.get('/resources/:id/files', {
    id: 'listResourceFiles',
    access: 'member',
    tag,
    summary: 'List the files on an aircraft',
    description:
      'Oldest first. Files for `staff` are for staff and technicians; the other members see those for `bookers`.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(ResourceFile)) },
    links: true,
    read: async ({ db, actor, params, query, services, now }) => {
      const { id } = await findResource(db, actor.organizationId, params.id)
      const files = listFiles(db, actor.organizationId, id, readableVisibilities(actor.roles))
      const { rows, total, next } = await listPage(files, query, resourceFileView)
      const linked = await Promise.all(rows.map((row) => withLink(row, services.storage, now)))
      return page({ rows: linked, view: (row) => row, total, next })
    },
  })

  on.post('/resources/:id/files', {
    id: 'addResourceFiles',
    access: fileKeepers,
    tag,
    summary: 'Arrange an upload of up to five files',
    description:
      'Makes the rows and answers a signed upload for each, good once, for 15 minutes and one object of its type of at ' +
      'most 25 MiB. It ends with the membership or the role of who arranged it. At most 50 files of an organization, ' +
      'documents too, are arranged and not sent yet, 200 and 1 GiB a day, 20 GiB in all: 429. A replay under an ' +
      'Idempotency-Key signs the same uploads again.',
    params: IdParams,
    body: FilesBody,
    answers: { 201: envelope(z.array(ResourceFile), signedUrlData) },
    errors: [
      platformErrors.fileTypeNotAccepted,
      platformErrors.demoFilesFull,
      ...roomErrors,
      platformErrors.tooManyUploads,
    ],
    secret: true,
    rateLimit: { uploads: ({ body }) => body.fileNames.length },
    write: (tx, { actor, params, body }) => addFiles(tx, actor, params.id, body),
    answer: async ({ ids }, { db, actor, services, now }) => {
      const rows = await findFiles(db, actor.organizationId, ids)
      const files = await Promise.all(rows.map((row) => withLink(row, services.storage, now)))
      return created(files, { signedUrlData: await Promise.all(rows.map((row) => signUpload(row, services.storage))) })
    },
  })

  on.patch('/resources/:id/files/:fileId', {
    id: 'updateResourceFile',
    access: fileKeepers,
    tag,
    summary: 'Change what is said of a file',
    description: 'The bytes are not replaced. A new category leaves the visibility as it is.',
    params: FileParams,
    body: FilePatch,
    answers: { 200: envelope(ResourceFile) },
    write: (tx, { actor, params, body }) => updateFile(tx, actor, params, body),
    answer: async ({ id }, { db, actor, services, now }) => {
      const [row] = await findFiles(db, actor.organizationId, [id])
      if (!row) throw platformErrors.noSuchRecord()
      return ok(await withLink(row, services.storage, now))
    },
  })

  on.delete('/resources/:id/files/:fileId', {
    id: 'deleteResourceFile',
    access: fileKeepers,
    tag,
    summary: 'Delete a file',
    description: 'The row is out of sight at once; the stored bytes are dropped right after.',
    params: FileParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteFile(tx, actor, params),
    answer: () => done(),
  })
}

import { z } from 'zod'
import { addFiles } from '../../../shared/fleet/resources/add-files.ts'
import { deleteFile, updateFile } from '../../../shared/fleet/resources/change-file.ts'
import { findResource } from '../../../shared/fleet/resources/resource.queries.ts'
import { readableVisibilities } from '../../../shared/fleet/resources/resource.rules.ts'
import { findFile, findFiles, listFiles } from '../../../shared/fleet/resources/resource-file.queries.ts'
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
      'Lists the files of the resource, oldest first. Staff and technicians see all files; other members see only ' +
      'those with the visibility `bookers`.',
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
    summary: 'Add up to five files',
    description:
      'Creates up to five file records and returns one signed upload for each. An upload works once, for 15 ' +
      'minutes, for one file of its type of at most 25 MiB. It ends early when the person who requested it loses ' +
      'the membership or the role.\n\nLimits of an organization, documents included: 50 requested uploads that are ' +
      'not sent yet, 200 files and 1 GiB per day, 20 GiB in all (429). A replay under an Idempotency-Key signs the ' +
      'same uploads again.',
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

  on.get('/resources/:id/files/:fileId', {
    id: 'readResourceFile',
    access: 'member',
    tag,
    summary: 'Read a file on an aircraft',
    description:
      'Returns one file of the resource. Staff and technicians can read all files; other members only those with ' +
      'the visibility `bookers`.',
    params: FileParams,
    answers: { 200: envelope(ResourceFile) },
    links: true,
    read: async ({ db, actor, params, services, now }) => {
      const row = await findFile(db, actor.organizationId, params, readableVisibilities(actor.roles))
      return ok(await withLink(row, services.storage, now))
    },
  })

  on.patch('/resources/:id/files/:fileId', {
    id: 'updateResourceFile',
    access: fileKeepers,
    tag,
    summary: 'Change the details of a file',
    description:
      'Changes category, visibility, label or expiry. The file itself cannot be replaced. A new category does not ' +
      'change the visibility.',
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
    description: 'Deletes the file. It is no longer available, and the stored file is deleted shortly after.',
    params: FileParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteFile(tx, actor, params),
    answer: () => done(),
  })
}

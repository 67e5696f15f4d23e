import { z } from 'zod'
import { addDocument } from '../../../shared/qualification/documents/add-document.ts'
import { deleteDocument, updateDocument } from '../../../shared/qualification/documents/change-document.ts'
import { findDocument, listDocuments } from '../../../shared/qualification/documents/document.queries.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { signedUrlData, signUpload } from '../../platform/storage/signed-files.ts'
import { Document, documentView, withLink } from './document.view.ts'
import { DocumentBody, DocumentPatch, DocumentsQuery } from './documents.schemas.ts'

const tag = 'Documents'
const unseen = 'No such document, or another member’s'
const readOnly = 'The organization’s, or added by somebody else'

/** Documents of members and of the organization: medicals, certificates, contracts. */
export const documentRoutes: Routes = (on) => {
  on.get('/documents', {
    access: 'member',
    tag,
    summary: 'List the documents',
    description:
      'Newest first: one’s own and the organization’s; for desk staff those of all members too, also of members who ' +
      'left, whose documents stay until desk staff delete them.',
    query: DocumentsQuery,
    answers: { 200: envelope(z.array(Document)) },
    errors: { 400: 'A list parameter is wrong' },
    read: async ({ db, actor, query, services, now }) => {
      const listed = await listPage(listDocuments(db, actor, query), query, (row) => ({
        ...documentView(row),
        row,
      }))
      const rows = await Promise.all(listed.rows.map(({ row }) => withLink(row, services.storage, now)))
      return page({ ...listed, rows })
    },
  })

  on.post('/documents', {
    access: 'member',
    tag,
    summary: 'Add a document and arrange its upload',
    description:
      'Answers a signed upload, good once, for 15 minutes and one object of the file’s type (pdf, jpeg, png, heic, ' +
      'heif) of at most 25 MiB. It ends with the membership or the role of who arranged it. At most 50 files of an ' +
      'organization, those on aircraft too, are arranged and not sent yet: 429. A replay under an Idempotency-Key signs the same upload again. `expiresAt` is told of ' +
      '(`document_expiring`) 30 days ahead and when it has passed: to the member, or to the admins for the organization’s.',
    body: DocumentBody,
    answers: { 201: envelope(Document, signedUrlData) },
    errors: {
      400: 'A field is missing or wrong, a file of a kind that is not taken, or no such member',
      403: 'Not one’s own, for who is no desk staff; or a demo organization',
    },
    secret: true,
    write: (tx, { actor, body }) => addDocument(tx, actor, body),
    answer: async ({ id }, { db, actor, services, now }) => {
      const row = await findDocument(db, actor, id)
      const { storage } = services
      return created(await withLink(row, storage, now), { signedUrlData: [await signUpload(row, storage)] })
    },
  })

  on.get('/documents/:id', {
    access: 'member',
    tag,
    summary: 'Read a document',
    params: IdParams,
    answers: { 200: envelope(Document) },
    errors: { 404: unseen },
    read: async ({ params, ...call }) => ok(await readDocument(call, params.id)),
  })

  on.patch('/documents/:id', {
    access: 'member',
    tag,
    summary: 'Change what is said of a document',
    description: 'Desk staff, or who added it of their own. Whose it is and the bytes stay. A new end is told of anew.',
    params: IdParams,
    body: DocumentPatch,
    answers: { 200: envelope(Document) },
    errors: { 400: 'A field is wrong', 403: readOnly, 404: unseen },
    write: (tx, { actor, params, body }) => updateDocument(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await readDocument(call, id)),
  })

  on.delete('/documents/:id', {
    access: 'member',
    tag,
    summary: 'Delete a document',
    description:
      'Desk staff, or who added it of their own. It is gone at once, the stored bytes right after. A currency that was ' +
      'recorded with it keeps its dates; its `documentId` becomes null.',
    params: IdParams,
    answers: { 204: null },
    errors: { 403: readOnly, 404: unseen },
    write: (tx, { actor, params }) => deleteDocument(tx, actor, params.id),
    answer: () => done(),
  })
}

async function readDocument(
  { db, actor, services, now }: Pick<Call<'member'>, 'db' | 'actor' | 'services' | 'now'>,
  id: number,
) {
  return withLink(await findDocument(db, actor, id), services.storage, now)
}

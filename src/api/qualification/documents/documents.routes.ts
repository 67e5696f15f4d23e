import { z } from 'zod'
import { identityErrors, roomErrors } from '../../../shared/identity/identity.errors.ts'
import type { ObjectStorage } from '../../../shared/platform/adapters/storage/storage.port.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { addDocument, MOST_DOCUMENTS } from '../../../shared/qualification/documents/add-document.ts'
import { updateDocument } from '../../../shared/qualification/documents/change-document.ts'
import { deleteDocument } from '../../../shared/qualification/documents/delete-document.ts'
import {
  type DocumentRow,
  findDocument,
  listDocuments,
} from '../../../shared/qualification/documents/document.queries.ts'
import { isReadingAudited } from '../../../shared/qualification/documents/document.rules.ts'
import { recordDocumentReadings } from '../../../shared/qualification/documents/record-readings.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import { type Call, originOf, type Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { signedUrlData, signUpload } from '../../platform/storage/signed-files.ts'
import { Document, documentView, withLink } from './document.view.ts'
import { DocumentBody, DocumentPatch, DocumentsQuery } from './documents.schemas.ts'

const tag = 'Documents'

/** The endpoints of documents of members and of the organization: medicals, certificates, contracts. */
export const documentRoutes: Routes = (on) => {
  on.get('/documents', {
    id: 'listDocuments',
    access: 'member',
    tag,
    summary: 'List the documents',
    description:
      'Newest first: one’s own, and those of the organization that are for everybody or for a role of the caller; for desk ' +
      'staff those of all members. What a member had goes with their membership. That somebody read another’s medical or ' +
      'identification, here or by itself, is audited.',
    query: DocumentsQuery,
    answers: { 200: envelope(z.array(Document)) },
    links: true,
    read: async ({ db, actor, query, services, now, request }) => {
      const { rows, total, next } = await listPage(listDocuments(db, actor, query), query, documentView)
      await recordReadings({ actor, services, request }, rows)
      const linked = await Promise.all(rows.map((row) => withLink(row, services.storage, now)))
      return page({ rows: linked, view: (row) => row, total, next })
    },
  })

  on.post('/documents', {
    id: 'addDocument',
    access: 'member',
    tag,
    summary: 'Add a document and arrange its upload',
    description:
      'Answers a signed upload, good once, for 15 minutes and one object of the file’s type (pdf, jpeg, png, heic, ' +
      'heif) of at most 25 MiB. It ends with the membership or the role of who arranged it. At most 50 files of an ' +
      'organization, those on aircraft too, are arranged and not sent yet, 200 and 1 GiB a day, 20 GiB in all, and a ' +
      'member has at most 100 documents: 429. A ' +
      'replay under an Idempotency-Key signs the same upload again. It is `pending` until desk staff verify or reject it. ' +
      '`expiresAt` is told of (`document_expiring`) 30, 14 and 3 days ahead: to the member, or to the admins for the ' +
      'organization’s.',
    body: DocumentBody,
    answers: { 201: envelope(Document, signedUrlData) },
    errors: [
      platformErrors.fileTypeNotAccepted,
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      qualificationErrors.rolesOfOrganization,
      platformErrors.demoFilesFull,
      qualificationErrors.documentsOfOthers,
      ...roomErrors,
      platformErrors.tooManyUploads,
      qualificationErrors.tooManyDocuments,
    ],
    secret: true,
    rateLimit: { uploads: () => 1 },
    write: (tx, { actor, body, services }) =>
      addDocument(tx, actor, body, MOST_DOCUMENTS * services.config.RATE_LIMIT_FACTOR),
    answer: async ({ id }, { db, actor, services, now }) => {
      const row = await findDocument(db, actor, id)
      const { storage } = services
      return created(await withLink(row, storage, now), { signedUrlData: [await signFile(row, storage)] })
    },
  })

  on.get('/documents/:id', {
    id: 'readDocument',
    access: 'member',
    tag,
    summary: 'Read a document',
    params: IdParams,
    answers: { 200: envelope(Document) },
    links: true,
    read: async ({ params, ...call }) => ok(await readDocument(call, params.id)),
  })

  on.patch('/documents/:id', {
    id: 'updateDocument',
    access: 'member',
    tag,
    summary: 'Change, verify or reject a document',
    description:
      'Desk staff, or who added it of their own. Whose it is stays. A `fileName` arranges the upload of a new file in ' +
      'place of the present one, which is gone at once. `status` and `note` are for desk staff, and for nobody about their ' +
      'own. When its member changes `expiresAt`, `category` or the file, it is `pending` again, without a note. Verifying ' +
      'ends an upload that was not sent; external storage takes it for up to 45 minutes all the same, so that it is ' +
      'verified after those (`UPLOAD_OPEN`). One without its file proves nothing, and verifying it is 409 `FILE_MISSING`. A new end is told of anew.',
    params: IdParams,
    body: DocumentPatch,
    answers: { 200: envelope(Document, { signedUrlData: signedUrlData.signedUrlData.optional() }) },
    errors: [
      platformErrors.fileTypeNotAccepted,
      qualificationErrors.rolesOfOrganization,
      platformErrors.demoFilesFull,
      qualificationErrors.notYourDocument,
      qualificationErrors.reviewForDesk,
      qualificationErrors.uploadOpen,
      qualificationErrors.documentWithoutFile,
      ...roomErrors,
      platformErrors.tooManyUploads,
    ],
    secret: true,
    rateLimit: { uploads: ({ body }) => (body.fileName === undefined ? 0 : 1) },
    write: (tx, { actor, params, body, services }) =>
      updateDocument(tx, actor, params.id, body, {
        formsEndAtOnce: services.storage.own !== null,
        has: async (key) => (await services.storage.sizeOf(key)) !== null,
      }),
    answer: async ({ id, uploads }, { db, actor, services, now }) => {
      const row = await findDocument(db, actor, id)
      const { storage } = services
      const document = await withLink(row, storage, now)
      return uploads ? ok(document, { signedUrlData: [await signFile(row, storage)] }) : ok(document)
    },
  })

  on.delete('/documents/:id', {
    id: 'deleteDocument',
    access: 'member',
    tag,
    summary: 'Delete a document',
    description:
      'Desk staff, or who added it of their own while it is not verified. It is gone at once, the stored bytes right after. A ' +
      'currency that was recorded with it keeps its dates; its `documentId` becomes null.',
    params: IdParams,
    answers: { 204: null },
    errors: [qualificationErrors.notYourDocument, qualificationErrors.documentVerified],
    write: (tx, { actor, params }) => deleteDocument(tx, actor, params.id),
    answer: () => done(),
  })
}

async function readDocument(
  { db, actor, services, now, request }: Pick<Call<'member'>, 'db' | 'actor' | 'services' | 'now' | 'request'>,
  id: number,
) {
  const row = await findDocument(db, actor, id)
  await recordReadings({ actor, services, request }, [row])
  return withLink(row, services.storage, now)
}

/**
 * Returns the signed upload of a document's file. It is valid from the time when the document was added or its file was
 * replaced.
 */
function signFile(row: DocumentRow, storage: ObjectStorage) {
  return signUpload({ ...row, created_at: row.form_opened_at }, storage)
}

/** Records in the audit log that the caller gets links to other members' medicals and identifications. */
async function recordReadings(
  { actor, services, request }: Pick<Call<'member'>, 'actor' | 'services' | 'request'>,
  rows: readonly DocumentRow[],
): Promise<void> {
  const read = rows
    .map(({ id, category, status, membership_id }) => ({ id, category, status, membershipId: membership_id ?? null }))
    .filter((document) => isReadingAudited(actor, document))
  if (read.length === 0) return
  const { database, clock, relay } = services
  const { enqueued } = await inTransaction(
    database,
    clock,
    (tx) => recordDocumentReadings(tx, actor, read),
    originOf(request),
  )
  relay.publish(enqueued)
}

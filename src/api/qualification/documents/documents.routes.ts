import { z } from 'zod'
import { identityErrors, roomErrors } from '../../../shared/identity/identity.errors.ts'
import type { ObjectStorage } from '../../../shared/platform/adapters/storage/storage.port.ts'
import { is } from '../../../shared/platform/authz/actor.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { addDocument, MOST_DOCUMENTS } from '../../../shared/qualification/documents/add-document.ts'
import { updateDocument } from '../../../shared/qualification/documents/change-document.ts'
import { deleteDocument } from '../../../shared/qualification/documents/delete-document.ts'
import {
  type DocumentRow,
  findDocument,
  findUploaded,
  listDocuments,
} from '../../../shared/qualification/documents/document.queries.ts'
import { isReadingAudited } from '../../../shared/qualification/documents/document.rules.ts'
import { recordDocumentReadings } from '../../../shared/qualification/documents/record-readings.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import { type Call, originOf, type Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams, membersOf } from '../../http/schemas.ts'
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
      'Lists documents, newest first. Members see their own, and those of the organization that are for everybody or ' +
      'for one of their roles; desk staff see all. Reading another member’s medical or identification, here or with ' +
      '`GET /documents/{id}`, is recorded in the audit log. A member’s documents are deleted when the membership ' +
      'ends, except those that must by law be kept.',
    query: DocumentsQuery,
    answers: { 200: envelope(z.array(Document)) },
    links: true,
    read: async ({ db, actor, query, services, now, request }) => {
      const { category: categories, status: statuses } = query
      const filter = { orgUserIds: membersOf(query.orgUserId, actor), categories, statuses }
      const { rows, total, next } = await listPage(listDocuments(db, actor, filter), query, documentView)
      await recordReadings({ actor, services, request }, rows)
      const linked = await Promise.all(rows.map((row) => withLink(row, services.storage, now)))
      return page({ rows: linked, view: (row) => row, total, next })
    },
  })

  on.post('/documents', {
    id: 'addDocument',
    access: 'member',
    grant: 'registrar',
    tag,
    summary: 'Add a document and get a form for its upload',
    description:
      'Adds a document and returns a signed form for the upload of its file. Desk staff add documents of all, ' +
      'registrars those of members who are only student or renter, other members their own. A replay with the same ' +
      'Idempotency-Key returns a form for the same upload. The document is `pending` until desk staff verify or ' +
      'reject it. Limits (429): 50 files that are not uploaded yet, 200 files and 1 GiB per day, and 20 GiB in all ' +
      'for an organization, including the files on aircraft; 100 documents for a member.',
    body: DocumentBody,
    answers: { 201: envelope(Document, signedUrlData) },
    errors: [
      platformErrors.fileTypeNotAccepted,
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      qualificationErrors.rolesOfOrganization,
      platformErrors.demoFilesFull,
      qualificationErrors.documentsOfOthers,
      identityErrors.registrarLimits,
      ...roomErrors,
      platformErrors.tooManyUploads,
      qualificationErrors.tooManyDocuments,
    ],
    secret: true,
    rateLimit: { uploads: () => 1 },
    prepare: async ({ actor, body, withGrant }) => {
      const isForOther = body.orgUserId != null && body.orgUserId !== actor.orgUserId
      return isForOther && !is(actor, deskStaff) ? withGrant() : actor
    },
    write: (tx, { body, services }, actor) =>
      addDocument(tx, actor, body, MOST_DOCUMENTS * services.config.RATE_LIMIT_FACTOR),
    answer: async ({ id }, { db, actor, services, now }) => {
      const row = await findUploaded(db, actor, id)
      const { storage } = services
      return created(await withLink(row, storage, now), { signedUrlData: [await signFile(row, storage)] })
    },
  })

  on.get('/documents/:id', {
    id: 'readDocument',
    access: 'member',
    tag,
    summary: 'Read a document',
    description: 'Returns one document. Allowed for those who see it in the list.',
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
      'Changes the fields that are sent; the owner cannot change. Allowed for desk staff, and for members when the ' +
      'document is their own and they added it. With another `expiresAt`, `category` or file its status becomes ' +
      '`pending` and its `notes` are removed, unless the request says otherwise. A document without a file cannot be ' +
      'verified (409 `FILE_MISSING`). Verifying ends an unused upload form; one of external storage cannot be ' +
      'ended, and while it can be used, for up to 45 minutes, verifying answers 409 `UPLOAD_OPEN`.',
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
      qualificationErrors.documentInUse,
      qualificationErrors.documentIsConsent,
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
      'Deletes a document, and its file soon after. Allowed for desk staff; also for members when the document is ' +
      'their own, they added it, and it is not verified. A currency that was recorded with it keeps its dates, and ' +
      'its `documentId` becomes null.',
    params: IdParams,
    answers: { 204: null },
    errors: [
      qualificationErrors.notYourDocument,
      qualificationErrors.documentVerified,
      qualificationErrors.documentInUse,
      qualificationErrors.documentIsConsent,
    ],
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
 * Returns the signed upload for the file of a document. It is valid from the time at which the document was added, or
 * its file replaced.
 */
function signFile(row: DocumentRow, storage: ObjectStorage) {
  return signUpload({ ...row, created_at: row.form_opened_at }, storage)
}

/** Records in the audit log that the caller gets links to medicals and identifications of other members. */
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

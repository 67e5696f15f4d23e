import { assertIsMember, assertTakesUploads } from '../../identity/members/member.access.ts'
import { actsAsRegistrar, assertIsForRegistrar } from '../../identity/members/registrar.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { deskStaff, type Role } from '../../platform/authz/roles.ts'
import type { DocumentCategory } from '../../platform/authz/rule-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { expectUpload, newFile } from '../../platform/storage/arrange-upload.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { Document } from '../qualification.tables.ts'
import { countDocumentsOf } from './document.access.ts'
import { auditedDocument, readsAll } from './document.rules.ts'

export interface NewDocument {
  title: string
  category: DocumentCategory
  /** The owner; when absent, the caller; when null, the organization. */
  orgUserId?: number | null | undefined
  expiresAt?: Date | null | undefined
  /** The roles that see a document of the organization; empty: everyone. */
  roles?: Role[] | undefined
  fileName: string
}

/** The most documents of one member. */
export const MOST_DOCUMENTS = 100
const DAY_S = 86_400

/**
 * Inserts the row of a document whose file is uploaded next. Desk staff add documents of any member and of the organization,
 * registrars those of students and renters, other members only their own. Implements interface §Documents and the desk grants of the interface.
 */
export async function addDocument(
  tx: Tx,
  actor: Actor,
  input: NewDocument,
  most: number = MOST_DOCUMENTS,
): Promise<{ id: number }> {
  const { title, category, orgUserId = actor.orgUserId, expiresAt = null, roles = [], fileName } = input
  if (orgUserId !== null && roles.length > 0) throw qualificationErrors.rolesOfOrganization()
  if (orgUserId !== actor.orgUserId) {
    const asRegistrar = actsAsRegistrar(actor) && orgUserId !== null
    if (!readsAll(actor) && !asRegistrar) throw qualificationErrors.documentsOfOthers()
    if (orgUserId !== null) assertIsForRegistrar(actor, await assertIsMember(tx, actor, orgUserId, 'orgUserId'))
  }
  await assertTakesUploads(tx, actor, 1, orgUserId === actor.orgUserId ? 'member' : deskStaff)
  if (orgUserId !== null) await assertHasRoom(tx, { organizationId: actor.organizationId, orgUserId }, most)
  const document = tx.em.create(Document, {
    ...newFile(tx, actor, fileName, 'fileName'),
    title,
    category,
    membershipId: orgUserId,
    expiresAt,
    roles,
    formOpenedAt: tx.now,
  })
  await tx.em.flush()
  expectUpload(tx, 'document', document)
  emit(tx, actor, {
    kind: 'document.created',
    subject: { kind: 'document', id: document.id },
    after: auditedDocument(document),
  })
  return { id: document.id }
}

/**
 * Checks that the member has fewer than `most` documents. The caller must hold the lock of the organization, so that
 * concurrent additions count.
 */
async function assertHasRoom(tx: Tx, member: { organizationId: number; orgUserId: number }, most: number) {
  const held = await countDocumentsOf(tx, member)
  if (held < most) return
  throw qualificationErrors.tooManyDocuments({ retryAfterSeconds: DAY_S, held })
}

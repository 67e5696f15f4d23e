import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { Document } from './document.entity.ts'
import { mayChange, maySee } from './document.rules.ts'

/**
 * Returns the document to change or delete, locked until the commit.
 * @throws NotFound when the caller may not see it.
 * @throws Forbidden when the caller may see but not change it.
 */
export async function lockDocument(tx: Tx, actor: Actor, id: number): Promise<Document> {
  const { organizationId } = actor
  const document = await tx.em.findOne(
    Document,
    { id, organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  const ownership = document && {
    membershipId: document.membershipId ?? null,
    uploadedBy: document.uploadedBy,
    roles: document.roles,
  }
  if (!ownership || !maySee(actor, ownership)) throw platformErrors.noSuchRecord()
  if (!mayChange(actor, ownership)) throw qualificationErrors.notYourDocument()
  return document
}

/**
 * Checks that a document in a body belongs to the member.
 * @throws Invalid naming the field.
 */
export async function mustBeDocumentOf(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  documentId: number,
): Promise<void> {
  const row = await tx.db
    .selectFrom('document')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('id', '=', documentId)
    .executeTakeFirst()
  if (!row) throw qualificationErrors.unknownDocument()
}

/** Returns how many documents a member has. */
export async function countDocumentsOf(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<number> {
  const { count } = await tx.db
    .selectFrom('document')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the documents of a member, locked until the commit. */
export function lockDocumentsOf(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<Document[]> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  return tx.em.find(Document, { organizationId, membershipId: orgUserId }, { lockMode, refresh: true })
}

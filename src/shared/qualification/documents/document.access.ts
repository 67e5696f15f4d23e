import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { Document } from '../qualification.tables.ts'
import { mayChange, maySee } from './document.rules.ts'

/** Returns the document to change or delete, locked until the commit. */
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

/** Checks that a document that a request names belongs to the member. */
export async function assertIsDocumentOf(tx: Tx, member: Owner, documentId: number): Promise<void> {
  const row = await selectDocumentOf(tx, member, documentId).executeTakeFirst()
  if (!row) throw qualificationErrors.unknownDocument()
}

/**
 * Checks that a document that a request names is a paper that the member signed: it is theirs, its file has arrived, and it is
 * neither rejected nor expired. It is locked, so that it is not deleted before the commit.
 */
export async function assertIsPaperOf(tx: Tx, member: Owner, documentId: number): Promise<void> {
  const row = await selectDocumentOf(tx, member, documentId)
    .where('upload', '=', 'stored')
    .where('status', '<>', 'rejected')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', tx.now)]))
    .forShare()
    .executeTakeFirst()
  if (!row) throw qualificationErrors.unknownDocument()
}

/** The member to whom a document has to belong. */
interface Owner {
  organizationId: number
  orgUserId: number
}

function selectDocumentOf(tx: Tx, { organizationId, orgUserId }: Owner, documentId: number) {
  return tx.db
    .selectFrom('document')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('id', '=', documentId)
}

/** Checks that no booking ahead and no consent in force rests on a document, as it is. */
export async function assertIsNotInUse(tx: Tx, actor: Actor, document: Document): Promise<void> {
  if (await isPaperAhead(tx, actor, document.id)) throw qualificationErrors.documentInUse()
  if (await isConsentInForce(tx, actor, document)) throw qualificationErrors.documentIsConsent()
}

/** Returns whether a member pays for others by a consent that names a document of theirs. */
async function isConsentInForce(
  tx: Tx,
  { organizationId }: Pick<Actor, 'organizationId'>,
  { id, membershipId }: Pick<Document, 'id' | 'membershipId'>,
): Promise<boolean> {
  if (membershipId == null) return false
  const { rows } = await sql`
    select from membership m
    join event e on e.organization_id = m.organization_id and e.subject_kind = 'member' and e.subject_id = m.id
      and e.kind = 'member.bill_to_changed'
    where m.organization_id = ${organizationId} and m.bill_to_id = ${membershipId} and m.bill_to_accepted_at is not null
      and e.after->>'documentId' = ${String(id)} limit 1`.execute(tx.db)
  return rows.length > 0
}

/** Returns whether an override of a live booking that is not over names a document. */
async function isPaperAhead(tx: Tx, { organizationId }: Pick<Actor, 'organizationId'>, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from rule_override o
    join reservation r on r.organization_id = o.organization_id and r.id = o.reservation_id and r.live
    where o.organization_id = ${organizationId} and o.document_id = ${id} and r.ends_at > ${tx.now} limit 1`.execute(
    tx.db,
  )
  return rows.length > 0
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

/** A member who left the organization, and when. */
export interface FormerMember {
  organizationId: number
  orgUserId: number
  leftAt: Date
}

/**
 * Returns, by document id, the instant until which the organization must by law keep documents of a former member. Documents
 * that prove an endorsement are kept for three years from the signature (14 CFR 61.189(b)). Documents that prove an expiring
 * currency, such as the security awareness training of 49 CFR 1552.13, are kept for one year after the member left
 * (1552.15(b)). Other documents are absent.
 */
export async function findKeptProofs(
  tx: Tx,
  { organizationId, orgUserId, leftAt }: FormerMember,
): Promise<Map<number, Date>> {
  const of = (alias: string) => sql`${sql.ref(`${alias}.organization_id`)} = ${organizationId}
    and ${sql.ref(`${alias}.membership_id`)} = ${orgUserId} and ${sql.ref(`${alias}.document_id`)} is not null`
  const { rows } = await sql<{ id: number; until: Date }>`
    select id, max(until) as until from (
      select e.document_id as id, e.signed_at + interval '3 years' as until from endorsement e where ${of('e')}
      union all
      select k.document_id, ${leftAt}::timestamptz + interval '1 year' from currency_record k
        join currency c on c.organization_id = k.organization_id and c.id = k.currency_id
       where ${of('k')} and c.kind = 'expiring') proof
     group by id having max(until) > ${tx.now}`.execute(tx.db)
  return new Map(rows.map(({ id, until }) => [id, until]))
}

/**
 * Returns at most `most` documents of former members that the organization no longer has to keep, locked until the commit.
 */
export async function lockKeptDocuments(tx: Tx, most: number): Promise<Document[]> {
  const { rows } = await sql<{ id: number; organizationId: number }>`
    select d.id, d.organization_id as "organizationId" from document d
     where d.kept_until < ${tx.now} order by d.kept_until limit ${most} for update skip locked`.execute(tx.db)
  return rows.length === 0 ? [] : tx.em.find(Document, { $or: rows }, { refresh: true })
}

/** Returns the documents of a member, locked until the commit. */
export function lockDocumentsOf(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<Document[]> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  return tx.em.find(Document, { organizationId, membershipId: orgUserId }, { lockMode, refresh: true })
}

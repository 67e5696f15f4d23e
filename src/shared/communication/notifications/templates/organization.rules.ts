import { shortened } from '../../../platform/kernel/text.ts'
import type { Message } from './message.rules.ts'

/** The facts of an announcement for its message. */
export interface AnnouncementTemplateData {
  id: number
  title: string
  body: string
  author: string
}

/** The most characters of the text in the app. The announcement itself has the full text. */
const GLANCE = 500

/** Returns the message to the audience of an announcement. The mail has the full text. */
export function announcementPublished({ id, title, body, author }: AnnouncementTemplateData): Message {
  return {
    title,
    body: shortened(body, GLANCE),
    data: { announcementId: id },
    mail: { paragraphs: [...body.split(/\n+/), `Announced by ${author}.`], action: null },
  }
}

/** The facts of a join request for its message. */
export interface JoinRequestTemplateData {
  id: number
  name: string
  organization: string
}

/** Returns the message to desk staff about a new join request. */
export function joinRequested({ id, name, organization }: JoinRequestTemplateData): Message {
  const sentence = `${name} asks to join ${organization}. An admin can approve or decline the request.`
  return {
    title: `${name} asks to join`,
    body: sentence,
    data: { joinRequestId: id },
    mail: { paragraphs: [sentence], action: null, asked: true },
  }
}

/** Returns the message to admins about an account that took over a managed member. */
export function memberClaimed({ id, name }: { id: number; name: string }): Message {
  const sentence = `${name} accepted the invitation and took over the membership that you managed for them, with all its history.`
  return {
    title: `${name} has joined`,
    body: sentence,
    data: { orgUserId: id },
    mail: { paragraphs: [sentence], action: null },
  }
}

/** Returns the message to admins about a new member who has the same address as a managed member. */
export function memberRecognized({
  id,
  name,
  managedId,
  managedName,
}: {
  id: number
  name: string
  managedId: number
  managedName: string
}): Message {
  const sentence =
    `${name} has joined with the address of ${managedName}, a member without an account. The two are not connected: if they ` +
    'are the same person, merge them.'
  return {
    title: `${name} may be ${managedName}`,
    body: sentence,
    data: { orgUserId: id, managedOrgUserId: managedId },
    mail: { paragraphs: [sentence], action: null },
  }
}

/**
 * The facts of the merge of a member `from` into another one. `waits`: the profile, documents and training of `from`
 * are moved only when the other member agrees.
 */
export interface MergeTemplateData {
  id: number
  name: string
  fromId: number
  from: string
  waits: boolean
}

/** Returns the message about a merge to the owners and to the member who remains. */
export function memberMerged({ id, name, fromId, from, waits }: MergeTemplateData): Message {
  const papers = waits
    ? ` Bookings and money were moved. ${name} can take over the profile, documents and training within seven days.`
    : ' Everything was moved.'
  const sentence = `${from} was merged into ${name}.${papers}`
  return {
    title: `${from} was merged into ${name}`,
    body: sentence,
    data: { orgUserId: id, fromOrgUserId: fromId },
    mail: { paragraphs: [sentence], action: null },
  }
}

/** Who is to pay for a member after a change (`payer` null: nobody else), who did before, and whether the payer has accepted. */
export interface BillToTemplateData {
  orgUserId: number
  name: string
  payerId: number | null
  payer: string | null
  formerId: number | null
  accepted: boolean
  /** Whether the payer has an account, and so accepts themself. */
  signsIn: boolean
}

/** Returns the message to a member, the payer and the former payer about who pays for the member. */
export function billToChanged({ orgUserId, name, payerId, payer, accepted, signsIn }: BillToTemplateData): Message {
  const sentence = sentenceOf({ name, payer, accepted, signsIn })
  return {
    title: `Who pays for ${name}`,
    body: sentence,
    data: { orgUserId, ...(payerId !== null && { payerOrgUserId: payerId }) },
    mail: { paragraphs: [sentence], action: null },
  }
}

type BillToFacts = Pick<BillToTemplateData, 'name' | 'payer' | 'accepted' | 'signsIn'>

function sentenceOf({ name, payer, accepted, signsIn }: BillToFacts): string {
  if (payer === null)
    return `${name} pays for themself from now on. Invoices that exist already stay with the previous payer.`
  if (accepted)
    return `${payer} has accepted to pay for ${name}: new invoices of flights, bookings, packages and fees go to ${payer}.`
  const until = signsIn ? `${payer} has signed in and accepted` : `an admin has recorded that ${payer} accepts`
  return `${payer} is asked to pay for ${name}. ${name} pays until ${until}.`
}

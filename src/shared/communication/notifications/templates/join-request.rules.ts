import type { Message } from './message.ts'

/** A join request as its template needs it. */
export interface JoinRequestTemplateData {
  id: number
  name: string
  organization: string
}

/** To desk staff: a new join request. */
export function joinRequested({ id, name, organization }: JoinRequestTemplateData): Message {
  const sentence = `${name} asks to join ${organization}. An admin can approve or decline the request.`
  return {
    title: `${name} asks to join`,
    body: sentence,
    data: { joinRequestId: id },
    mail: { paragraphs: [sentence], action: null },
  }
}

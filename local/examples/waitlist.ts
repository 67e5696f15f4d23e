import type { Data, ExampleRun } from './example-run.ts'

/** Sends the requests about the waiting list and offers. */
export async function waitlistExamples({ send, school, mailedToken }: ExampleRun): Promise<void> {
  const { actors, resourceIds } = school
  const token = await mailedToken('offer')
  await send(null, 'POST /offers/lookup', { body: { token } })
  await send(null, 'POST /offers/answer', { body: { token, answer: 'accept' } })
  const offers = (await send('olivia', 'GET /offers', { query: { status: 'open' } })) as unknown as Data[]
  const [declined, accepted] = Array.isArray(offers) ? offers : []
  await send('olivia', 'GET /offers/{id}', { params: { id: accepted?.id ?? 0 } })
  const params = (offer: Data | undefined) => ({ params: { id: offer?.id ?? 0 }, body: { how: 'phone' } })
  await send('olivia', 'POST /offers/{id}/accept', params(accepted))
  await send('olivia', 'POST /offers/{id}/decline', params(declined))
  const entry = await send('stella', 'POST /waitlist', {
    body: {
      type: 'dual',
      durationMinutes: 120,
      windows: [{ start: '2026-06-27T08:00:00-07:00', end: '2026-06-27T18:00:00-07:00' }],
      resourceIds: [resourceIds.N518FL],
      instructorOrgUserIds: [actors.isabel.orgUserId],
      noticeMinutes: 240,
    },
  })
  const mine = { params: { id: entry.id } }
  await send('stella', 'GET /waitlist/{id}', mine)
  await send('stella', 'PATCH /waitlist/{id}', { ...mine, body: { noticeMinutes: 120 } })
  await send('stella', 'DELETE /waitlist/{id}', mine)
}

import type { Data, ExampleRun } from './example-run.ts'

type Booking = Data & { series: { id: number } | null }

/** Sends the requests about bookings, booking requests, public offerings, and the calendar. */
export async function schedulingExamples(run: ExampleRun): Promise<void> {
  const { send, school } = run
  const { actors, courses, resourceIds } = school
  const personnel = {
    instructors: [{ orgUserId: actors.ivan.orgUserId }],
    students: [{ orgUserId: actors.sam.orgUserId }],
  }
  const lesson = (day: string) => ({
    title: 'Crosswinds, slips and go-arounds',
    type: 'dual',
    start: `2026-06-${day}T10:00:00-07:00`,
    end: `2026-06-${day}T12:00:00-07:00`,
    timeZoneName: 'America/Los_Angeles',
    resource: { id: resourceIds.N734FL },
    personnel,
  })
  await send('olivia', 'GET /rules/{key}', { params: { key: 'availability' } })
  await send('olivia', 'PATCH /rules/{key}', {
    params: { key: 'availability' },
    body: { overridableBy: ['owner', 'admin'] },
  })
  await send('olivia', 'POST /reservations/check', { body: lesson('16') })
  const booked = (await send('olivia', 'POST /reservations', {
    body: { ...lesson('16'), lessonId: courses.private.lessonIds.get('Crosswinds, slips and go-arounds') },
  })) as unknown as Data | Data[]
  const booking = Array.isArray(booked) ? booked[0] : booked
  const params = { id: booking?.id ?? 0 }
  const moved = { start: '2026-06-16T11:00:00-07:00', end: '2026-06-16T13:00:00-07:00' }
  await send('olivia', 'PATCH /reservations/{id}', { params, body: moved })
  await send('olivia', 'GET /reservations/{id}', { params })
  await send('olivia', 'GET /reservations/{id}/history', { params })
  await send('olivia', 'DELETE /reservations/{id}', {
    params,
    body: { reason: 'Ceiling below 1,000 feet', category: 'weather' },
  })
  await send('olivia', 'POST /reservations/{id}/restore', { params, body: {} })
  const seen = { startDate: '2026-06-02T00:00:00-07:00', endDate: '2026-06-03T00:00:00-07:00', includeCanceled: 'true' }
  const tomorrow = (await send('olivia', 'GET /reservations', { query: seen })) as unknown as (Data & {
    fee: object | null
  })[]
  await send('olivia', 'POST /reservations/{id}/fee', {
    params: { id: tomorrow.find(({ fee }) => fee !== null)?.id ?? 0 },
    body: { action: 'waive', reason: 'The exam was moved at short notice' },
  })
  const repeated = { ...lesson('18'), recurrence: { frequency: 'weekly', count: 3 } }
  const made = (await send('olivia', 'POST /reservations', { body: repeated })) as unknown as Booking | Booking[]
  const first = Array.isArray(made) ? made[0] : made
  await send('olivia', 'DELETE /reservations/series/{seriesId}', {
    params: { seriesId: first?.series?.id ?? 0 },
    body: { reason: 'The student moves away', category: 'student', from: 2 },
  })
  await closureExamples(run)
  await bulkExamples(run)
  await recoveryExamples(run)
  await logExamples(run)
  await requestExamples(run)
  await offeringExamples(run)
  const { url } = (await send('olivia', 'POST /calendar/token')) as Data & { url: string }
  await send(null, 'GET /calendar/{token}.ics', { params: { token: /([^/]+)\.ics$/.exec(url)?.[1] ?? '' } })
  await send('olivia', 'DELETE /calendar/token')
  await send('olivia', 'GET /weather/{station}', { params: { station: 'KHWD' } })
}

/** Adds a closure of the whole school for a day, and deletes it. */
async function closureExamples({ send }: ExampleRun): Promise<void> {
  const closed = await send('olivia', 'POST /closures', {
    body: {
      start: '2026-06-18T09:00:00-07:00',
      end: '2026-06-18T18:00:00-07:00',
      reason: 'Runway 28R is repaved',
    },
  })
  await send('olivia', 'GET /closures/{id}', { params: { id: closed.id } })
  await send('olivia', 'DELETE /closures/{id}', { params: { id: closed.id } })
}

/**
 * Starts a bulk operation that moves a morning's bookings, and cancels it. Then reads the dry run of the demo school.
 */
async function bulkExamples({ send }: ExampleRun): Promise<void> {
  const filter = { startDate: '2026-06-02T06:00:00-07:00', endDate: '2026-06-02T12:00:00-07:00' }
  const started = await send('olivia', 'POST /reservations/bulk', {
    body: { filter, action: { move: { minutes: 180 } } },
  })
  await send('olivia', 'DELETE /operations/{id}', { params: { id: started.id } })
  const listed = (await send('olivia', 'GET /operations')) as unknown as (Data & { status: string })[]
  const tried = listed.find(({ status }) => status === 'done')
  const params = { id: tried?.id ?? 0 }
  await send('olivia', 'GET /operations/{id}', { params })
  await send('olivia', 'GET /operations/{id}/rows', { params, query: { limit: 3 } })
  await send('olivia', 'GET /operations/{id}/events', { params })
}

/** Finds slots for maintenance. Plans a recovery and ends it. Then reads the plan of the demo school, and applies its first row. */
async function recoveryExamples({ send, school: { resourceIds } }: ExampleRun): Promise<void> {
  await send('olivia', 'GET /maintenance/slots', {
    query: { resourceId: resourceIds.N734FL, hours: 4, startDate: '2026-06-02', endDate: '2026-06-05' },
  })
  const started = await send('olivia', 'POST /recoveries', {
    body: {
      cause: { resourceIds: [resourceIds.N734FL] },
      startDate: '2026-06-01',
      endDate: '2026-06-05',
      reach: { days: 3, instructors: 'own', pools: 'model' },
    },
  })
  await send('olivia', 'DELETE /recoveries/{id}', { params: { id: started.id } })
  const listed = (await send('olivia', 'GET /recoveries')) as unknown as (Data & { status: string })[]
  const params = { id: listed.find(({ status }) => status === 'ready')?.id ?? 0 }
  const plan = (await send('olivia', 'GET /recoveries/{id}', { params })) as Data & {
    rows: { reservationId: number }[]
  }
  const reservationIds = plan.rows.slice(0, 1).map(({ reservationId }) => reservationId)
  await send('olivia', 'POST /recoveries/{id}/apply', {
    params,
    body: { reservationIds, consent: 'given', how: 'phone' },
  })
}

/** Writes and reads the flight log of a dual lesson of Stella in May. */
async function logExamples({ send, school: { actors } }: ExampleRun): Promise<void> {
  const { stella, isabel } = actors
  const flown = (await send('olivia', 'GET /reservations/user/{userId}', {
    params: { userId: stella.accountId },
    query: { startDate: '2026-05-01T00:00:00-07:00', endDate: '2026-06-01T00:00:00-07:00' },
  })) as unknown as (Data & { type: string })[]
  const params = { id: flown.find(({ type }) => type === 'dual')?.id ?? 0 }
  const landings = { dayTakeoffs: 2, dayLandings: 2, dayFullStops: 1 }
  await send('isabel', 'PUT /reservations/{id}/log', {
    params,
    body: {
      rows: [
        {
          orgUserId: stella.orgUserId,
          dualReceived: 15,
          simulatedInstrument: 6,
          ...landings,
          route: 'KHWD KLVK KHWD',
          remarks: 'Headings and altitudes held under the hood',
        },
        { orgUserId: isabel.orgUserId, pic: 15, instruction: 15 },
      ],
    },
  })
  await send('stella', 'GET /reservations/{id}/log', { params })
}

async function requestExamples({ send, school }: ExampleRun): Promise<void> {
  const ask = (day: string) =>
    send('rita', 'POST /booking-requests', {
      body: {
        start: `2026-06-${day}T09:00:00-07:00`,
        end: `2026-06-${day}T12:00:00-07:00`,
        type: 'rental',
        title: 'To Monterey and back',
        timeZoneName: 'America/Los_Angeles',
        notes: 'Two passengers',
        resource: { id: school.resourceIds.N206FL },
      },
    })
  const [approved, rejected, cancelled] = [await ask('17'), await ask('18'), await ask('19')]
  await send('olivia', 'GET /booking-requests/{id}', { params: { id: approved.id } })
  await send('olivia', 'POST /booking-requests/{id}/approve', {
    params: { id: approved.id },
    body: { title: 'Rental to Monterey' },
  })
  await send('olivia', 'POST /booking-requests/{id}/reject', {
    params: { id: rejected.id },
    body: { reason: 'The aircraft is in maintenance that day' },
  })
  await send('olivia', 'POST /booking-requests/{id}/cancel', { params: { id: cancelled.id } })
}

async function offeringExamples({ send, school, mailedToken }: ExampleRun): Promise<void> {
  const offering = await send('olivia', 'POST /offerings', {
    body: {
      name: 'Wine country tour',
      description: 'Napa and Sonoma from above, with you at the controls',
      type: 'guest',
      durationMinutes: 60,
      priceCents: 21_900,
      collectionStyle: 'close_out',
      resourceIds: [school.resourceIds.N92FL],
      instructorOrgUserIds: [school.actors.ivan.orgUserId],
      active: true,
      earliestMinute: 540,
      latestMinute: 960,
      daylight: true,
    },
  })
  const params = { id: offering.id }
  await send('olivia', 'GET /offerings/{id}', { params })
  await send('olivia', 'PATCH /offerings/{id}', { params, body: { priceCents: 22_900 } })
  await send(null, 'GET /public/offerings/{id}/openings', {
    params,
    query: { startDate: '2026-06-16T07:00:00Z', endDate: '2026-06-17T07:00:00Z' },
  })
  await send(null, 'POST /public/offerings/{id}/requests', {
    params,
    body: {
      name: 'Gia Moretti',
      email: 'gia@example.com',
      phone: '+1 510 555 0144',
      start: '2026-06-20T10:00:00-07:00',
    },
  })
  await send(null, 'POST /public/requests/confirm', { body: { token: await mailedToken('booking_request') } })
  const spare = await send('olivia', 'POST /offerings', {
    body: { name: 'Night lights', durationMinutes: 45, resourceIds: [school.resourceIds.N518FL] },
  })
  await send('olivia', 'DELETE /offerings/{id}', { params: { id: spare.id } })
}

import type { Data, ExampleRun } from './example-run.ts'

/**
 * Sends the requests from the ramp-out of a flight to its invoice, and those about other invoices, packages, cards,
 * ledger accounts and pay runs.
 */
export async function moneyExamples(run: ExampleRun): Promise<void> {
  const { send, school } = run
  const { actors, resourceIds } = school
  const today = { startDate: '2026-06-01T13:00:00Z', endDate: '2026-06-01T15:00:00Z' }
  const bookings = (await send('olivia', 'GET /reservations', { query: today })) as unknown as Data[]
  const params = { id: bookings[0]?.id ?? 0 }
  const plane = (await send('olivia', 'GET /resources/{id}', { params: { id: resourceIds.N734FL } })) as Data & {
    hobbsTime: number
    tachTime: number
  }
  const later = (reading: number, hours: number) => Math.round((reading + hours) * 100) / 100
  await send('olivia', 'GET /board')
  await send('ivan', 'GET /reservations/{id}/release', {
    params,
    query: { hobbsTimeOut: plane.hobbsTime, tachTimeOut: plane.tachTime },
  })
  const agreed = { rule: 'availability', reason: 'He comes in early, agreed by phone' }
  await send('olivia', 'POST /reservations/{id}/overrides', { params, body: { overrides: [agreed] } })
  await send('ivan', 'POST /reservations/{id}/rampOut', {
    params,
    body: { hobbsTimeOut: plane.hobbsTime, tachTimeOut: plane.tachTime },
  })
  await send('ivan', 'POST /reservations/{id}/rampIn', {
    params,
    body: { hobbsTimeIn: later(plane.hobbsTime, 1.4), tachTimeIn: later(plane.tachTime, 1.1), briefing: 0.3 },
  })
  await send('olivia', 'POST /reservations/{id}/updateReviewTimes', {
    params,
    body: { tachTimeOut: plane.tachTime, tachTimeIn: later(plane.tachTime, 1.2) },
  })
  await send('ivan', 'POST /reservations/{id}/confirmReview', { params, body: {} })
  await send('samir', 'POST /reservations/{id}/confirmReview', { params, body: {} })
  await send('olivia', 'POST /reservations/{id}/reopen', { params, body: { reason: 'The tach was read wrong' } })
  await send('olivia', 'PUT /reservations/{id}/payers', {
    params,
    body: { payers: [{ orgUserId: actors.samir.orgUserId, percentage: 100 }] },
  })
  await send('ivan', 'POST /reservations/{id}/confirmReview', { params, body: {} })
  await send('samir', 'POST /reservations/{id}/confirmReview', { params, body: {} })
  const ofFlight = { reservationId: params.id }
  await send('olivia', 'GET /invoices/reservation/{reservationId}/invoiceTotals', { params: ofFlight })
  await send('olivia', 'POST /reservations/{id}/invoices', { params })
  await send('olivia', 'GET /invoices/reservation/{reservationId}', { params: ofFlight })
  await correctionExample(run)
  await invoiceExamples(run)
  await prepaidExamples(run)
  await packageExamples(run)
  await cardExamples(run)
  await accountExamples(run)
  const paid = await send('olivia', 'POST /payRuns', { body: { startDate: '2026-05-25', endDate: '2026-05-31' } })
  await send('olivia', 'GET /payRuns/{id}', { params: { id: (paid as Data).id } })
  await send('olivia', 'POST /integrations/stripe/connect', {
    body: { returnUrl: 'https://bayflight.example/payments', refreshUrl: 'https://bayflight.example/payments/again' },
  })
}

/** Corrects a billed flight, after a dry run; its renter objects, and the objection is closed. */
async function correctionExample({ send, school: { actors } }: ExampleRun): Promise<void> {
  const { orgUserId } = actors.rita
  const invoices = (await send('olivia', 'GET /invoices/orgUsers/{orgUserId}', {
    params: { orgUserId },
  })) as unknown as {
    settlement: string
    reservation: { id: number } | null
  }[]
  const billed = invoices.find(({ settlement, reservation }) => settlement === 'ledger' && reservation)
  const params = { id: billed?.reservation?.id ?? 0 }
  const flight = (await send('olivia', 'GET /reservations/{id}', { params })) as Data & {
    hobbsTimeOut: number
    hobbsTimeIn: number
  }
  const hobbsTimeIn = Math.round(flight.hobbsTimeIn * 100 - 10) / 100
  const body = {
    readings: { hobbsTimeOut: flight.hobbsTimeOut, hobbsTimeIn },
    reason: 'The Hobbs was read 0.1 too far',
    refund: 'ledger',
    dryRun: true,
  }
  await send('olivia', 'POST /reservations/{id}/correct', { params, body })
  await send('olivia', 'POST /reservations/{id}/correct', { params, body: { ...body, dryRun: false } })
  await send('rita', 'POST /reservations/{id}/objections', { params, body: { note: 'The photo shows another figure' } })
  await send('adam', 'POST /reservations/{id}/objections/close', {
    params,
    body: { reason: 'The photo is of another flight' },
  })
}

/** Books a flight with a prepaid fixed price, and records its payment by check. */
async function prepaidExamples({ send, school: { actors, resourceIds } }: ExampleRun): Promise<void> {
  const booked = await send('olivia', 'POST /reservations', {
    body: {
      title: 'Mountain flying package',
      type: 'dual',
      timeZoneName: 'America/Los_Angeles',
      start: '2026-06-17T14:00:00-07:00',
      end: '2026-06-17T16:00:00-07:00',
      resource: { id: resourceIds.N206FL },
      personnel: {
        instructors: [{ orgUserId: actors.isabel.orgUserId }],
        students: [{ orgUserId: actors.stella.orgUserId }],
      },
      collectionStyle: 'prepaid_fixed',
      prepaidAmountCents: 62_000,
    },
  })
  const params = { id: booked.id }
  await send('olivia', 'POST /reservations/{id}/prepaid/record-offline', { params, body: { method: 'check' } })
}

async function invoiceExamples({ send, school }: ExampleRun): Promise<void> {
  const orgUserId = school.actors.sofia.orgUserId
  const raise = async (memo: string) => {
    const items = [{ description: 'Headset rental, one month', quantity: 1, unit: 'month', unitPrice: 4_500 }]
    const data = (await send('olivia', 'POST /invoices', {
      body: { customer: { orgUserId }, memo, items, dueAt: '2026-06-15T23:59:00-07:00' },
    })) as unknown as Data | Data[]
    return { id: (Array.isArray(data) ? data[0]?.id : data.id) ?? 0 }
  }
  const paid = await raise('Headset')
  await send('olivia', 'POST /invoices/batch', {
    body: { filter: { endedBefore: '2026-06-01T07:00:00Z' }, dryRun: true },
  })
  await send('olivia', 'GET /invoices/{id}', { params: paid })
  await send('olivia', 'POST /invoices/{id}/remind', { params: paid })
  await send('olivia', 'PATCH /invoices/{id}', { params: paid, body: { paid: true, paymentMethod: 'check' } })
  const note = (await send('olivia', 'POST /invoices/{id}/creditNotes', {
    params: paid,
    body: { amountCents: 1_500, reason: 'The headset failed on two days', refund: 'ledger' },
  })) as unknown as Data
  await send('olivia', 'GET /creditNotes/{id}', { params: { id: note.id } })
  const later = (await send('olivia', 'POST /invoices/{id}/creditNotes', {
    params: paid,
    body: { amountCents: 500, reason: 'And on a third', refund: 'none' },
  })) as unknown as Data
  await send('olivia', 'POST /creditNotes/{id}/refund', { params: { id: later.id }, body: { refund: 'ledger' } })
  await send('olivia', 'GET /invoices/{id}/creditNotes', { params: paid })
  const inParts = await raise('Headset, in parts')
  const part = (await send('olivia', 'POST /invoices/{id}/payments', {
    params: inParts,
    body: { amountCents: 2_000, method: 'check', reference: 'Check 1043' },
  })) as unknown as { payments: Data[] }
  await send('olivia', 'POST /invoices/{id}/payments/{paymentId}/reverse', {
    params: { ...inParts, paymentId: part.payments[0]?.id ?? 0 },
    body: { reason: 'The check bounced' },
  })
  await send('olivia', 'POST /invoices/{id}/void', {
    params: await raise('Headset, again'),
    body: { reason: 'Billed twice' },
  })
}

async function cardExamples({ send, school }: ExampleRun): Promise<void> {
  const params = { id: school.actors.sofia.orgUserId }
  const { url } = (await send('sofia', 'POST /orgUsers/{id}/paymentMethods/setup', { params })) as unknown as {
    url: string
  }
  await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ card: 'ok' }) })
  await send('sofia', 'PATCH /orgUsers/{id}', { params, body: { autopay: true, autopayMaxCents: 50_000 } })
  const [card] = (await send('sofia', 'GET /orgUsers/{id}/paymentMethods', { params })) as unknown as { id: string }[]
  await send('sofia', 'DELETE /orgUsers/{id}/paymentMethods/{methodId}', {
    params: { ...params, methodId: card?.id ?? '' },
  })
}

async function packageExamples({ send, school }: ExampleRun): Promise<void> {
  const { sofia } = school.actors
  const made = (await send('olivia', 'POST /packages', {
    body: {
      name: 'Five hours in the Skyhawk',
      priceCents: 82_500,
      grant: { deciHours: 50 },
      lineKinds: ['aircraft'],
      expiresAfterDays: 365,
    },
  })) as unknown as Data
  await send('olivia', 'GET /packages/{id}', { params: { id: made.id } })
  await send('olivia', 'PATCH /packages/{id}', { params: { id: made.id }, body: { priceCents: 84_000 } })
  await send('olivia', 'GET /packages', {})
  await send('olivia', 'POST /packages/{id}/purchases', {
    params: { id: made.id },
    body: { orgUserId: sofia.orgUserId },
  })
  await send('olivia', 'GET /orgUsers/{id}/packages', { params: { id: sofia.orgUserId } })
}

async function accountExamples({ send, school }: ExampleRun): Promise<void> {
  const params = { id: school.actors.sofia.orgUserId }
  const entry = await send('olivia', 'POST /orgUsers/{id}/ledger', {
    params,
    body: { kind: 'deposit', amountCents: 50_000, memo: 'Check 1042' },
  })
  await send('olivia', 'GET /orgUsers/{id}/ledger', { params })
  await send('olivia', 'GET /orgUsers/{id}/statement', {
    params,
    query: { startDate: '2026-05-01', endDate: '2026-06-30' },
  })
  await send('olivia', 'POST /ledger/{id}/reverse', {
    params: { id: entry.id },
    body: { reason: 'Posted to the wrong member' },
  })
}

import 'reflect-metadata'
import { createPublicKey, verify } from 'node:crypto'
import {
  Body,
  ConflictException,
  Controller,
  Get,
  Inject,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'

/** Returns a booking as the service answers one, without what its rules compute. */
export function view(row) {
  const seated = (side) =>
    row.seats
      .filter((seat) => seat.side === side)
      .map((seat) => ({ orgUserId: seat.membership_id, name: seat.member.search_name }))
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    status: row.cancelled_at ? 'cancelled' : 'booked',
    start: row.starts_at.toISOString(),
    end: row.ends_at.toISOString(),
    timeZoneName: row.time_zone_name,
    notes: row.notes,
    resource: row.resource && {
      id: row.resource.id,
      name: row.resource.name,
      kind: row.resource.kind,
      tailNumber: row.resource.tail_number,
    },
    location: row.location && {
      id: row.location.id,
      name: row.location.name,
      timeZoneName: row.location.time_zone_name,
    },
    personnel: {
      instructors: seated('instructors'),
      students: seated('students'),
      renters: seated('renters'),
      pilots: seated('pilots'),
      guests: [],
    },
    createdBy: { orgUserId: row.created_by, name: row.creator.search_name },
    series: null,
    cancelledAt: row.cancelled_at?.toISOString() ?? null,
    cancellation: null,
    collectionStyle: row.collection_style,
    prepaidAmountCents: null,
    rampedOutAt: null,
    expectedBackAt: null,
    rampedInAt: null,
    hobbsTimeOut: null,
    hobbsTimeIn: null,
    tachTimeOut: null,
    tachTimeIn: null,
    briefing: null,
    review: {
      needs: ['instructors', 'students'].filter((side) => seated(side).length > 0),
      confirmations: [],
      signedOffAt: null,
      waitsFor: [],
    },
    payers: [],
    paymentOverrides: [],
    invoiceTotals: null,
    invoices: [],
    owedBackCents: 0,
    meetingUrl: null,
    passengers: row.passengers,
    ifr: row.ifr,
    overrides: [],
    lesson: null,
    lessons: [],
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Returns the rows to insert for the body of a request: of the booking, and of its seats. */
function rowsOf({ body, caller }) {
  const times = { starts_at: new Date(body.start), ends_at: new Date(body.end) }
  const organization_id = caller.organization_id
  const booking = {
    organization_id,
    title: body.title,
    type: body.type,
    ...times,
    time_zone_name: body.timeZoneName,
    resource_id: body.resource.id,
    created_by: caller.id,
  }
  const seats = Object.entries(body.personnel).flatMap(([side, people]) =>
    people.map(({ orgUserId }) => ({ side, membership_id: orgUserId })),
  )
  return { booking, seats: seats.map((seat, position) => ({ organization_id, ...seat, position, ...times })) }
}

const keys = new Map(
  JSON.parse(process.env.AUTH_KEYS ?? '{"keys":[]}').keys.map(({ d: _private, ...jwk }) => [
    jwk.kid,
    createPublicKey({ key: jwk, format: 'jwk' }),
  ]),
)

/** Returns the claims of a token with a known signature; null for any other. */
function claimsOf(authorization = '') {
  const [head, payload, signature] = authorization.replace(/^Bearer /i, '').split('.')
  if (!signature) return null
  const key = keys.get(JSON.parse(Buffer.from(head, 'base64url')).kid)
  if (!key || !verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))) return null
  const claims = JSON.parse(Buffer.from(payload, 'base64url'))
  return claims.exp * 1000 > Date.now() ? claims : null
}

class SignedIn {
  constructor(store) {
    this.store = store
  }

  async canActivate(context) {
    const request = context.switchToHttp().getRequest()
    const claims = claimsOf(request.headers.authorization)
    request.caller = claims && (await this.store.member(claims.org, claims.mem))
    if (!request.caller) throw new UnauthorizedException()
    return true
  }
}
Inject('store')(SignedIn, undefined, 0)

class Reservations {
  constructor(store) {
    this.store = store
  }

  async read({ caller }, id) {
    const row = await this.store.one(caller.organization_id, id)
    if (!row) throw new NotFoundException()
    return { data: view(row) }
  }

  async list({ caller }, { startDate, endDate }) {
    const rows = await this.store.between(caller.organization_id, new Date(startDate), new Date(endDate))
    return { data: rows.map(view) }
  }

  async create({ caller }, body) {
    const id = await this.store.create(rowsOf({ body, caller }))
    if (id === null) throw new ConflictException()
    return { data: view(await this.store.one(caller.organization_id, id)) }
  }
}
Inject('store')(Reservations, undefined, 0)

/** Declares a handler: this file is plain JavaScript, so decorators are called. */
function declare(name, route, ...parameters) {
  const of = Reservations.prototype
  route(of, name, Object.getOwnPropertyDescriptor(of, name))
  for (const [index, parameter] of parameters.entries()) parameter(of, name, index)
}
declare('read', Get(':id'), Req(), Param('id', ParseIntPipe))
declare('list', Get(), Req(), Query())
declare('create', Post(), Req(), Body())
UseGuards(SignedIn)(Reservations)
Controller('reservations')(Reservations)

/** Serves reservations from a store, and reports that it is ready. */
export async function serve(store) {
  class App {}
  Module({ controllers: [Reservations], providers: [{ provide: 'store', useValue: store }, SignedIn] })(App)
  const app = await NestFactory.create(App, new FastifyAdapter(), { logger: ['error'] })
  await app.listen(Number(process.env.PORT), '127.0.0.1')
  process.send?.('ready')
}

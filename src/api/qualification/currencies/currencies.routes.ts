import { z } from 'zod'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findCurrency, listCurrencies } from '../../../shared/qualification/currencies/currency.queries.ts'
import {
  createCurrency,
  deleteCurrency,
  updateCurrency,
} from '../../../shared/qualification/currencies/write-currency.ts'
import { currencyErrors, qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { CurrencyBody, CurrencyPatch } from './currencies.schemas.ts'
import { Currency, currencyView } from './currency.view.ts'

const tag = 'Currencies'

/** The endpoints of the currencies that members need. */
export const currencyRoutes: Routes = (on) => {
  on.get('/currencies', {
    id: 'listCurrencies',
    access: 'member',
    tag,
    summary: 'List the currencies of the organization',
    description:
      'Lists the currencies that members need. `expiring` and `recent_flights` are rules of the school. The other ' +
      'kinds follow a regulation: `flight_review` (14 CFR 61.56), `passenger_day` and `passenger_night` (61.57(a), ' +
      '(b)), `instrument` (61.57(c)), `medical` (61.23) and `instructor_certificate` (61.197).',
    query: ListQuery,
    answers: { 200: envelope(z.array(Currency)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listCurrencies(db, actor.organizationId), query, currencyView)),
  })

  on.post('/currencies', {
    id: 'createCurrency',
    access: admins,
    tag,
    summary: 'Add a currency',
    description:
      'Adds a currency. With `enforcement` `block`, a booking is refused (`NOT_CURRENT`) when somebody on it is not ' +
      'current at its start. The kinds that follow a regulation apply 14 CFR 61.23, 61.56, 61.57(a) to (d) and ' +
      '61.197; `recent_flights` is a rule of the school and does not replace 61.57.',
    body: CurrencyBody,
    answers: { 201: envelope(Currency) },
    errors: currencyErrors,
    write: (tx, { actor, body }) => createCurrency(tx, actor, body),
    answer: async ({ id }, { db, actor }) => created(currencyView(await findCurrency(db, actor.organizationId, id))),
  })

  on.get('/currencies/:id', {
    id: 'readCurrency',
    access: 'member',
    tag,
    summary: 'Read a currency',
    description:
      'Returns one of the currencies that members of the organization need. The kinds that follow a regulation apply ' +
      '14 CFR 61.23, 61.56, 61.57 and 61.197.',
    params: IdParams,
    answers: { 200: envelope(Currency) },
    read: async ({ db, actor, params }) => ok(currencyView(await findCurrency(db, actor.organizationId, params.id))),
  })

  on.patch('/currencies/:id', {
    id: 'updateCurrency',
    access: admins,
    tag,
    edits: 'currency',
    summary: 'Change a currency',
    description:
      'Changes the fields that are sent, except the kind. A kind that follows a regulation still applies 14 CFR ' +
      '61.23, 61.56, 61.57 or 61.197.',
    params: IdParams,
    body: CurrencyPatch,
    answers: { 200: envelope(Currency) },
    errors: [...currencyErrors, qualificationErrors.kindFixed],
    write: (tx, { actor, params, body }) => updateCurrency(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(currencyView(await findCurrency(db, actor.organizationId, id))),
  })

  on.delete('/currencies/:id', {
    id: 'deleteCurrency',
    access: admins,
    tag,
    edits: 'currency',
    summary: 'Delete a currency',
    description: 'Deletes a currency with the dates that were recorded for it.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteCurrency(tx, actor, params.id),
    answer: () => done(),
  })
}

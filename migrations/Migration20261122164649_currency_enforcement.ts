import { Migration } from '@mikro-orm/migrations'

/**
 * How a currency is enforced, and of whom it is asked. `blocking` stays and follows `enforcement`, for the processes of
 * the release before.
 */
export class Migration20261122164649_currency_enforcement extends Migration {
  override up(): void {
    this.addSql(`
      alter table currency_rule
        add column enforcement text not null default 'warn' check (enforcement in ('off', 'warn', 'block')),
        add column lifted_when_supervised boolean not null default false,
        add column overridable_by jsonb not null default '["owner", "admin"]',
        add column applies_to text not null default 'everyone' check (applies_to in ('everyone', 'pic'))`)
    this.addSql(`update currency_rule set enforcement = 'block' where blocking`)
  }
}

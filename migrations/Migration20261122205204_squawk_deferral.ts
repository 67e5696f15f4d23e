import { Migration } from '@mikro-orm/migrations'

/** Squawks in work, and deferred until a day; files of squawks and of completed maintenance. */
export class Migration20261122205204_squawk_deferral extends Migration {
  override up(): void {
    this.addSql(`
      alter table squawk
        drop constraint squawk_status_check,
        add constraint squawk_status_check check (status in ('open', 'in_progress', 'deferred', 'resolved')),
        add column deferred_until text check (deferred_until ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
        add column deferral_reference text,
        add column placarded boolean not null default false,
        add column deferral_ended boolean not null default false`)
    this.addSql(`
      alter table resource_file
        add column squawk_id integer,
        add column completion_id integer,
        add constraint resource_file_squawk_fkey foreign key (organization_id, squawk_id)
          references squawk (organization_id, id) on delete cascade,
        add constraint resource_file_one_subject check (squawk_id is null or completion_id is null)`)
  }
}

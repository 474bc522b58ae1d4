// NestJS and TypeORM as their documentation teaches them: repositories with findOne and save, DTO classes behind the
// ValidationPipe, entities behind the ClassSerializerInterceptor, a QueryRunner opened by a guard and ended by an interceptor.
import 'reflect-metadata';
import { createHash, randomInt } from 'node:crypto';
import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  createParamDecorator,
  Get,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Patch,
  Post,
  PreconditionFailedException,
  Query,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { Exclude, Expose, Type } from 'class-transformer';
import {
  IsDateString,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Request } from 'express';
import { catchError, concatMap, from, throwError, type Observable } from 'rxjs';
import {
  Column,
  CreateDateColumn,
  DataSource,
  DefaultNamingStrategy,
  Entity,
  LessThan,
  PrimaryColumn,
  UpdateDateColumn,
  type QueryRunner,
} from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

/** The tables are named in snake_case: moveID is move_id, pickupAddress.city is pickup_address_city. */
class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined, embeddedIn: string[]): string {
    return [...embeddedIn, customName ?? property]
      .map((name) => name.replace(/([a-z0-9])([A-Z]+)/g, '$1_$2').toLowerCase())
      .join('_');
  }
}

class Address {
  @Column('uuid', { nullable: true }) id!: string | null;
  @Column('varchar', { nullable: true }) streetAddress1!: string;
  @Column('varchar', { nullable: true }) streetAddress2!: string | null;
  @Column('varchar', { nullable: true }) streetAddress3!: string | null;
  @Column('varchar', { nullable: true }) city!: string;
  @Column('varchar', { nullable: true }) state!: string;
  @Column('varchar', { nullable: true }) postalCode!: string;
  @Column('varchar', { nullable: true }) country!: string | null;
}

@Entity('moves')
class Move {
  @PrimaryColumn('uuid') id!: string;
  @Column('varchar') moveCode!: string;
  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt!: Date;
}

@Entity('shipments')
class Shipment {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') moveID!: string;
  @Column('varchar') shipmentType!: string;
  @Column('varchar') status!: string;
  @Column('varchar', { nullable: true }) rejectionReason!: string | null;
  @Column('date', { nullable: true }) pickupDate!: string | null;
  @Column('date', { nullable: true }) deliveryDate!: string | null;
  @Exclude() @Column(() => Address, { prefix: 'pickupAddress' }) pickup!: Address;
  @Exclude() @Column(() => Address, { prefix: 'destinationAddress' }) destination!: Address;
  @Column('integer', { nullable: true }) estimatedWeight!: number | null;
  @Column('integer', { nullable: true }) actualWeight!: number | null;
  @Column('varchar', { nullable: true }) customerRemarks!: string | null;
  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt!: Date;

  @Expose()
  get eTag(): string {
    return createHash('sha256').update(this.updatedAt.toISOString()).digest('hex');
  }

  @Expose()
  get pickupAddress(): object | null {
    return this.pickup.id === null ? null : { ...this.pickup, eTag: this.eTag };
  }

  @Expose()
  get destinationAddress(): object | null {
    return this.destination.id === null ? null : { ...this.destination, eTag: this.eTag };
  }
}

class AddressDto {
  @IsString() @IsNotEmpty() @MaxLength(255) streetAddress1!: string;
  @IsOptional() @IsString() @MaxLength(255) streetAddress2?: string | null;
  @IsOptional() @IsString() @MaxLength(255) streetAddress3?: string | null;
  @IsString() @IsNotEmpty() @MaxLength(100) city!: string;
  @IsString() @IsNotEmpty() @MaxLength(64) state!: string;
  @IsString() @IsNotEmpty() @MaxLength(20) postalCode!: string;
  @IsOptional() @IsString() @MaxLength(64) country?: string | null;
}

class UpdateShipmentDto {
  @IsOptional() @IsString() @IsNotEmpty() @MaxLength(64) shipmentType?: string;
  @IsOptional() @IsDateString() pickupDate?: string | null;
  @IsOptional() @IsDateString() deliveryDate?: string | null;
  @IsOptional() @ValidateNested() @Type(() => AddressDto) pickupAddress?: AddressDto;
  @IsOptional() @ValidateNested() @Type(() => AddressDto) destinationAddress?: AddressDto;
  @IsOptional() @IsInt() @Min(1) @Max(1_000_000) estimatedWeight?: number | null;
  @IsOptional() @IsInt() @Min(1) @Max(1_000_000) actualWeight?: number | null;
  @IsOptional() @IsString() @MaxLength(2000) customerRemarks?: string | null;
}

class CreateShipmentDto extends UpdateShipmentDto {
  @IsString() @IsNotEmpty() @MaxLength(64) declare shipmentType: string;
}

class ListQuery {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(200) limit?: number;
  @IsOptional() @IsUUID() cursor?: string;
}

/** Passed from the guard to the handler and the interceptor. */
interface Unit {
  readonly runner: QueryRunner;
  readonly shipment: Shipment;
}

type UnitRequest = Request<{ id: string }> & { unit: Unit };

const Locked = createParamDecorator(
  (_: unknown, context: ExecutionContext): Unit => context.switchToHttp().getRequest<UnitRequest>().unit,
);

@Injectable()
class IfMatchGuard implements CanActivate {
  constructor(private readonly dataSource: DataSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<UnitRequest>();
    const ifMatch = request.headers['if-match'];
    if (ifMatch === undefined) throw new HttpException('If-Match is required', 428);
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    await runner.startTransaction();
    try {
      const shipment = await runner.manager.findOne(Shipment, {
        where: { id: request.params.id },
        lock: { mode: 'for_no_key_update' },
      });
      if (shipment === null) throw new NotFoundException();
      if (ifMatch.replaceAll('"', '') !== shipment.eTag) throw new PreconditionFailedException();
      request.unit = { runner, shipment };
      return true;
    } catch (error) {
      await runner.rollbackTransaction();
      await runner.release();
      throw error;
    }
  }
}

async function rolledBack(runner: QueryRunner): Promise<void> {
  try {
    await runner.rollbackTransaction();
  } finally {
    await runner.release();
  }
}

@Injectable()
class CommitInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { runner } = context.switchToHttp().getRequest<UnitRequest>().unit;
    return next.handle().pipe(
      concatMap(async (body: unknown) => {
        await runner.commitTransaction();
        await runner.release();
        return body;
      }),
      catchError((error: unknown) => from(rolledBack(runner)).pipe(concatMap(() => throwError(() => error)))),
    );
  }
}

@Injectable()
class ShipmentsService {
  constructor(private readonly dataSource: DataSource) {}

  async read(id: string): Promise<Shipment> {
    const shipment = await this.dataSource.getRepository(Shipment).findOne({ where: { id } });
    if (shipment === null) throw new NotFoundException();
    return shipment;
  }

  async list({ limit = 50, cursor }: ListQuery): Promise<Shipment[]> {
    const shipments = await this.dataSource.getRepository(Shipment).find({
      where: cursor === undefined ? {} : { id: LessThan(cursor) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return shipments.slice(0, limit);
  }

  create(dto: CreateShipmentDto): Promise<Shipment> {
    return this.dataSource.transaction(async (manager) => {
      const move = await manager.save(manager.create(Move, { id: uuidv7(), moveCode: moveCode() }));
      const shipment = manager.create(Shipment, { id: uuidv7(), moveID: move.id, status: 'SUBMITTED' });
      return manager.save(merge(shipment, dto));
    });
  }

  update({ runner, shipment }: Unit, dto: UpdateShipmentDto): Promise<Shipment> {
    return runner.manager.save(merge(shipment, dto));
  }
}

function merge(shipment: Shipment, dto: UpdateShipmentDto): Shipment {
  const { pickupAddress, destinationAddress, ...fields } = dto;
  Object.assign(shipment, fields);
  if (pickupAddress) shipment.pickup = addressFrom(pickupAddress);
  if (destinationAddress) shipment.destination = addressFrom(destinationAddress);
  return shipment;
}

function addressFrom(dto: AddressDto): Address {
  const { streetAddress2 = null, streetAddress3 = null, country = null } = dto;
  return Object.assign(new Address(), { ...dto, id: uuidv7(), streetAddress2, streetAddress3, country });
}

function moveCode(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

@Controller('v1/shipments')
class ShipmentsController {
  constructor(private readonly shipments: ShipmentsService) {}

  @Get()
  list(@Query() query: ListQuery): Promise<Shipment[]> {
    return this.shipments.list(query);
  }

  @Post()
  create(@Body() dto: CreateShipmentDto): Promise<Shipment> {
    return this.shipments.create(dto);
  }

  @Get(':id')
  read(@Param('id', ParseUUIDPipe) id: string): Promise<Shipment> {
    return this.shipments.read(id);
  }

  @Patch(':id')
  @UseGuards(IfMatchGuard)
  @UseInterceptors(CommitInterceptor)
  update(@Locked() unit: Unit, @Body() dto: UpdateShipmentDto): Promise<Shipment> {
    return this.shipments.update(unit, dto);
  }
}

const dataSource = await new DataSource({
  type: 'postgres',
  url: process.env['DATABASE_URL'] ?? '',
  entities: [Move, Shipment],
  namingStrategy: new SnakeCaseNaming(),
  extra: { max: Number(process.env['POOL_SIZE']), application_name: 'contender' },
}).initialize();

@Module({
  controllers: [ShipmentsController],
  providers: [ShipmentsService, { provide: DataSource, useValue: dataSource }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
await app.listen(Number(process.env['PORT']), '127.0.0.1');

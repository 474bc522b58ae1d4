function _ts_decorate(decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") {
        r = Reflect.decorate(decorators, target, key, desc);
    } else {
        for(var i = decorators.length - 1; i >= 0; i--){
            if (d = decorators[i]) {
                r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
            }
        }
    }
    return c > 3 && r && Object.defineProperty(target, key, r), r;
}
function _ts_metadata(metadataKey, metadataValue) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") {
        return Reflect.metadata(metadataKey, metadataValue);
    }
}
function _ts_param(paramIndex, decorator) {
    return function(target, key) {
        decorator(target, key, paramIndex);
    };
}
// NestJS and TypeORM as their documentation teaches them: repositories with findOne and save, DTO classes behind the
// ValidationPipe, entities behind the ClassSerializerInterceptor, a QueryRunner opened by a guard and ended by an interceptor.
import 'reflect-metadata';
import { createHash, randomInt } from 'node:crypto';
import { Body, ClassSerializerInterceptor, Controller, createParamDecorator, Get, HttpException, Injectable, Module, NotFoundException, Param, ParseUUIDPipe, Patch, Post, PreconditionFailedException, Query, UseGuards, UseInterceptors, ValidationPipe } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsDateString, IsInt, IsNotEmpty, IsOptional, IsString, IsUUID, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { catchError, concatMap, from, throwError } from 'rxjs';
import { Column, CreateDateColumn, DataSource, DefaultNamingStrategy, Entity, LessThan, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
/** The tables are named in snake_case: moveID is move_id, pickupAddress.city is pickup_address_city. */ let SnakeCaseNaming = class SnakeCaseNaming extends DefaultNamingStrategy {
    columnName(property, customName, embeddedIn) {
        return [
            ...embeddedIn,
            customName ?? property
        ].map((name)=>name.replace(/([a-z0-9])([A-Z]+)/g, '$1_$2').toLowerCase()).join('_');
    }
};
let Address = class Address {
};
_ts_decorate([
    Column('uuid', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Address.prototype, "id", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", String)
], Address.prototype, "streetAddress1", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Address.prototype, "streetAddress2", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Address.prototype, "streetAddress3", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", String)
], Address.prototype, "city", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", String)
], Address.prototype, "state", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", String)
], Address.prototype, "postalCode", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Address.prototype, "country", void 0);
let Move = class Move {
};
_ts_decorate([
    PrimaryColumn('uuid'),
    _ts_metadata("design:type", String)
], Move.prototype, "id", void 0);
_ts_decorate([
    Column('varchar'),
    _ts_metadata("design:type", String)
], Move.prototype, "moveCode", void 0);
_ts_decorate([
    CreateDateColumn({
        type: 'timestamptz',
        precision: 3
    }),
    _ts_metadata("design:type", typeof Date === "undefined" ? Object : Date)
], Move.prototype, "createdAt", void 0);
_ts_decorate([
    UpdateDateColumn({
        type: 'timestamptz',
        precision: 3
    }),
    _ts_metadata("design:type", typeof Date === "undefined" ? Object : Date)
], Move.prototype, "updatedAt", void 0);
Move = _ts_decorate([
    Entity('moves')
], Move);
let Shipment = class Shipment {
    get eTag() {
        return createHash('sha256').update(this.updatedAt.toISOString()).digest('hex');
    }
    get pickupAddress() {
        return this.pickup.id === null ? null : {
            ...this.pickup,
            eTag: this.eTag
        };
    }
    get destinationAddress() {
        return this.destination.id === null ? null : {
            ...this.destination,
            eTag: this.eTag
        };
    }
};
_ts_decorate([
    PrimaryColumn('uuid'),
    _ts_metadata("design:type", String)
], Shipment.prototype, "id", void 0);
_ts_decorate([
    Column('uuid'),
    _ts_metadata("design:type", String)
], Shipment.prototype, "moveID", void 0);
_ts_decorate([
    Column('varchar'),
    _ts_metadata("design:type", String)
], Shipment.prototype, "shipmentType", void 0);
_ts_decorate([
    Column('varchar'),
    _ts_metadata("design:type", String)
], Shipment.prototype, "status", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Shipment.prototype, "rejectionReason", void 0);
_ts_decorate([
    Column('date', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Shipment.prototype, "pickupDate", void 0);
_ts_decorate([
    Column('date', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Shipment.prototype, "deliveryDate", void 0);
_ts_decorate([
    Exclude(),
    Column(()=>Address, {
        prefix: 'pickupAddress'
    }),
    _ts_metadata("design:type", typeof Address === "undefined" ? Object : Address)
], Shipment.prototype, "pickup", void 0);
_ts_decorate([
    Exclude(),
    Column(()=>Address, {
        prefix: 'destinationAddress'
    }),
    _ts_metadata("design:type", typeof Address === "undefined" ? Object : Address)
], Shipment.prototype, "destination", void 0);
_ts_decorate([
    Column('integer', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Shipment.prototype, "estimatedWeight", void 0);
_ts_decorate([
    Column('integer', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Shipment.prototype, "actualWeight", void 0);
_ts_decorate([
    Column('varchar', {
        nullable: true
    }),
    _ts_metadata("design:type", Object)
], Shipment.prototype, "customerRemarks", void 0);
_ts_decorate([
    CreateDateColumn({
        type: 'timestamptz',
        precision: 3
    }),
    _ts_metadata("design:type", typeof Date === "undefined" ? Object : Date)
], Shipment.prototype, "createdAt", void 0);
_ts_decorate([
    UpdateDateColumn({
        type: 'timestamptz',
        precision: 3
    }),
    _ts_metadata("design:type", typeof Date === "undefined" ? Object : Date)
], Shipment.prototype, "updatedAt", void 0);
_ts_decorate([
    Expose(),
    _ts_metadata("design:type", String),
    _ts_metadata("design:paramtypes", [])
], Shipment.prototype, "eTag", null);
_ts_decorate([
    Expose(),
    _ts_metadata("design:type", Object),
    _ts_metadata("design:paramtypes", [])
], Shipment.prototype, "pickupAddress", null);
_ts_decorate([
    Expose(),
    _ts_metadata("design:type", Object),
    _ts_metadata("design:paramtypes", [])
], Shipment.prototype, "destinationAddress", null);
Shipment = _ts_decorate([
    Entity('shipments')
], Shipment);
let AddressDto = class AddressDto {
};
_ts_decorate([
    IsString(),
    IsNotEmpty(),
    MaxLength(255),
    _ts_metadata("design:type", String)
], AddressDto.prototype, "streetAddress1", void 0);
_ts_decorate([
    IsOptional(),
    IsString(),
    MaxLength(255),
    _ts_metadata("design:type", Object)
], AddressDto.prototype, "streetAddress2", void 0);
_ts_decorate([
    IsOptional(),
    IsString(),
    MaxLength(255),
    _ts_metadata("design:type", Object)
], AddressDto.prototype, "streetAddress3", void 0);
_ts_decorate([
    IsString(),
    IsNotEmpty(),
    MaxLength(100),
    _ts_metadata("design:type", String)
], AddressDto.prototype, "city", void 0);
_ts_decorate([
    IsString(),
    IsNotEmpty(),
    MaxLength(64),
    _ts_metadata("design:type", String)
], AddressDto.prototype, "state", void 0);
_ts_decorate([
    IsString(),
    IsNotEmpty(),
    MaxLength(20),
    _ts_metadata("design:type", String)
], AddressDto.prototype, "postalCode", void 0);
_ts_decorate([
    IsOptional(),
    IsString(),
    MaxLength(64),
    _ts_metadata("design:type", Object)
], AddressDto.prototype, "country", void 0);
let UpdateShipmentDto = class UpdateShipmentDto {
};
_ts_decorate([
    IsOptional(),
    IsString(),
    IsNotEmpty(),
    MaxLength(64),
    _ts_metadata("design:type", String)
], UpdateShipmentDto.prototype, "shipmentType", void 0);
_ts_decorate([
    IsOptional(),
    IsDateString(),
    _ts_metadata("design:type", Object)
], UpdateShipmentDto.prototype, "pickupDate", void 0);
_ts_decorate([
    IsOptional(),
    IsDateString(),
    _ts_metadata("design:type", Object)
], UpdateShipmentDto.prototype, "deliveryDate", void 0);
_ts_decorate([
    IsOptional(),
    ValidateNested(),
    Type(()=>AddressDto),
    _ts_metadata("design:type", typeof AddressDto === "undefined" ? Object : AddressDto)
], UpdateShipmentDto.prototype, "pickupAddress", void 0);
_ts_decorate([
    IsOptional(),
    ValidateNested(),
    Type(()=>AddressDto),
    _ts_metadata("design:type", typeof AddressDto === "undefined" ? Object : AddressDto)
], UpdateShipmentDto.prototype, "destinationAddress", void 0);
_ts_decorate([
    IsOptional(),
    IsInt(),
    Min(1),
    Max(1_000_000),
    _ts_metadata("design:type", Object)
], UpdateShipmentDto.prototype, "estimatedWeight", void 0);
_ts_decorate([
    IsOptional(),
    IsInt(),
    Min(1),
    Max(1_000_000),
    _ts_metadata("design:type", Object)
], UpdateShipmentDto.prototype, "actualWeight", void 0);
_ts_decorate([
    IsOptional(),
    IsString(),
    MaxLength(2000),
    _ts_metadata("design:type", Object)
], UpdateShipmentDto.prototype, "customerRemarks", void 0);
let CreateShipmentDto = class CreateShipmentDto extends UpdateShipmentDto {
};
_ts_decorate([
    IsString(),
    IsNotEmpty(),
    MaxLength(64),
    _ts_metadata("design:type", String)
], CreateShipmentDto.prototype, "shipmentType", void 0);
let ListQuery = class ListQuery {
};
_ts_decorate([
    IsOptional(),
    Type(()=>Number),
    IsInt(),
    Min(1),
    Max(200),
    _ts_metadata("design:type", Number)
], ListQuery.prototype, "limit", void 0);
_ts_decorate([
    IsOptional(),
    IsUUID(),
    _ts_metadata("design:type", String)
], ListQuery.prototype, "cursor", void 0);
const Locked = createParamDecorator((_, context)=>context.switchToHttp().getRequest().unit);
let IfMatchGuard = class IfMatchGuard {
    constructor(dataSource){
        this.dataSource = dataSource;
    }
    async canActivate(context) {
        const request = context.switchToHttp().getRequest();
        const ifMatch = request.headers['if-match'];
        if (ifMatch === undefined) throw new HttpException('If-Match is required', 428);
        const runner = this.dataSource.createQueryRunner();
        await runner.connect();
        await runner.startTransaction();
        try {
            const shipment = await runner.manager.findOne(Shipment, {
                where: {
                    id: request.params.id
                },
                lock: {
                    mode: 'for_no_key_update'
                }
            });
            if (shipment === null) throw new NotFoundException();
            if (ifMatch.replaceAll('"', '') !== shipment.eTag) throw new PreconditionFailedException();
            request.unit = {
                runner,
                shipment
            };
            return true;
        } catch (error) {
            await runner.rollbackTransaction();
            await runner.release();
            throw error;
        }
    }
};
IfMatchGuard = _ts_decorate([
    Injectable(),
    _ts_metadata("design:type", Function),
    _ts_metadata("design:paramtypes", [
        typeof DataSource === "undefined" ? Object : DataSource
    ])
], IfMatchGuard);
let CommitInterceptor = class CommitInterceptor {
    intercept(context, next) {
        const { runner } = context.switchToHttp().getRequest().unit;
        return next.handle().pipe(concatMap(async (body)=>{
            await runner.commitTransaction();
            await runner.release();
            return body;
        }), catchError((error)=>from(runner.rollbackTransaction().finally(()=>runner.release())).pipe(concatMap(()=>throwError(()=>error)))));
    }
};
CommitInterceptor = _ts_decorate([
    Injectable()
], CommitInterceptor);
let ShipmentsService = class ShipmentsService {
    constructor(dataSource){
        this.dataSource = dataSource;
    }
    async read(id) {
        const shipment = await this.dataSource.getRepository(Shipment).findOne({
            where: {
                id
            }
        });
        if (shipment === null) throw new NotFoundException();
        return shipment;
    }
    async list({ limit = 50, cursor }) {
        const shipments = await this.dataSource.getRepository(Shipment).find({
            where: cursor === undefined ? {} : {
                id: LessThan(cursor)
            },
            order: {
                id: 'DESC'
            },
            take: limit + 1
        });
        return shipments.slice(0, limit);
    }
    create(dto) {
        return this.dataSource.transaction(async (manager)=>{
            const move = await manager.save(manager.create(Move, {
                id: uuidv7(),
                moveCode: moveCode()
            }));
            const shipment = manager.create(Shipment, {
                id: uuidv7(),
                moveID: move.id,
                status: 'SUBMITTED'
            });
            return manager.save(merge(shipment, dto));
        });
    }
    update({ runner, shipment }, dto) {
        return runner.manager.save(merge(shipment, dto));
    }
};
ShipmentsService = _ts_decorate([
    Injectable(),
    _ts_metadata("design:type", Function),
    _ts_metadata("design:paramtypes", [
        typeof DataSource === "undefined" ? Object : DataSource
    ])
], ShipmentsService);
function merge(shipment, dto) {
    const { pickupAddress, destinationAddress, ...fields } = dto;
    Object.assign(shipment, fields);
    if (pickupAddress) shipment.pickup = addressFrom(pickupAddress);
    if (destinationAddress) shipment.destination = addressFrom(destinationAddress);
    return shipment;
}
function addressFrom(dto) {
    const { streetAddress2 = null, streetAddress3 = null, country = null } = dto;
    return Object.assign(new Address(), {
        ...dto,
        id: uuidv7(),
        streetAddress2,
        streetAddress3,
        country
    });
}
function moveCode() {
    const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
    return Array.from({
        length: 6
    }, ()=>alphabet[randomInt(alphabet.length)]).join('');
}
let ShipmentsController = class ShipmentsController {
    constructor(shipments){
        this.shipments = shipments;
    }
    list(query) {
        return this.shipments.list(query);
    }
    create(dto) {
        return this.shipments.create(dto);
    }
    read(id) {
        return this.shipments.read(id);
    }
    update(unit, dto) {
        return this.shipments.update(unit, dto);
    }
};
_ts_decorate([
    Get(),
    _ts_param(0, Query()),
    _ts_metadata("design:type", Function),
    _ts_metadata("design:paramtypes", [
        typeof ListQuery === "undefined" ? Object : ListQuery
    ]),
    _ts_metadata("design:returntype", typeof Promise === "undefined" ? Object : Promise)
], ShipmentsController.prototype, "list", null);
_ts_decorate([
    Post(),
    _ts_param(0, Body()),
    _ts_metadata("design:type", Function),
    _ts_metadata("design:paramtypes", [
        typeof CreateShipmentDto === "undefined" ? Object : CreateShipmentDto
    ]),
    _ts_metadata("design:returntype", typeof Promise === "undefined" ? Object : Promise)
], ShipmentsController.prototype, "create", null);
_ts_decorate([
    Get(':id'),
    _ts_param(0, Param('id', ParseUUIDPipe)),
    _ts_metadata("design:type", Function),
    _ts_metadata("design:paramtypes", [
        String
    ]),
    _ts_metadata("design:returntype", typeof Promise === "undefined" ? Object : Promise)
], ShipmentsController.prototype, "read", null);
_ts_decorate([
    Patch(':id'),
    UseGuards(IfMatchGuard),
    UseInterceptors(CommitInterceptor),
    _ts_param(0, Locked()),
    _ts_param(1, Body()),
    _ts_metadata("design:type", Function),
    _ts_metadata("design:paramtypes", [
        typeof Unit === "undefined" ? Object : Unit,
        typeof UpdateShipmentDto === "undefined" ? Object : UpdateShipmentDto
    ]),
    _ts_metadata("design:returntype", typeof Promise === "undefined" ? Object : Promise)
], ShipmentsController.prototype, "update", null);
ShipmentsController = _ts_decorate([
    Controller('v1/shipments'),
    _ts_metadata("design:type", Function),
    _ts_metadata("design:paramtypes", [
        typeof ShipmentsService === "undefined" ? Object : ShipmentsService
    ])
], ShipmentsController);
const dataSource = await new DataSource({
    type: 'postgres',
    url: process.env['DATABASE_URL'] ?? '',
    entities: [
        Move,
        Shipment
    ],
    namingStrategy: new SnakeCaseNaming(),
    extra: {
        max: Number(process.env['POOL_SIZE']),
        application_name: 'contender'
    }
}).initialize();
let AppModule = class AppModule {
};
AppModule = _ts_decorate([
    Module({
        controllers: [
            ShipmentsController
        ],
        providers: [
            ShipmentsService,
            {
                provide: DataSource,
                useValue: dataSource
            }
        ]
    })
], AppModule);
const app = await NestFactory.create(AppModule, {
    logger: [
        'error',
        'warn'
    ]
});
app.useGlobalPipes(new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true
}));
app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
await app.listen(Number(process.env['PORT']), '127.0.0.1');

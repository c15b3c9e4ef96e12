// peer.js — grpc-js's side of the interop tests; ../peer.h describes the service.
// usage: node peer.js serve | call ADDRESS | hang ADDRESS
'use strict';
const grpc = require('@grpc/grpc-js');

const text = 'no such thing: é 100%';
const options = { 'grpc.max_receive_message_length': 400 << 20, 'grpc.max_send_message_length': 400 << 20 };
const raw = (bytes) => bytes;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function method(name, requestStream, responseStream) {
  return {
    path: `/interop.T/${name}`, requestStream, responseStream,
    requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw,
  };
}

const description = {
  Echo: method('Echo', false, false),
  Fail: method('Fail', false, false),
  Wait: method('Wait', false, false),
  Waits: method('Waits', false, false),
  Die: method('Die', false, false),
  Nothing: method('Nothing', false, false),
  Spout: method('Spout', false, true),
  Sum: method('Sum', true, false),
  Chat: method('Chat', true, true),
};

// google.rpc.Status with one Any of `size` bytes.
function encodeDetails(size) {
  const varint = (number) => {
    const bytes = [];
    for (; number >= 0x80; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
    return Buffer.from([...bytes, number]);
  };
  const field = (number, bytes) => Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
  const any = Buffer.concat([field(1, Buffer.from('type.googleapis.com/interop.Detail')), field(2, Buffer.alloc(size, 'd'))]);
  return Buffer.concat([Buffer.from([8, grpc.status.NOT_FOUND]), field(2, Buffer.from(text)), field(3, any)]);
}

// --- server ---

let waits = 0;

async function spout(call) {
  const [count, size] = call.request.toString().split(' ').map(Number);
  const message = Buffer.alloc(size, 's');
  for (let i = 0; i < count && !call.cancelled; i++)
    if (!call.write(message)) await new Promise((resolve) => call.once('drain', resolve));
  call.end();
}

const service = {
  Echo: (call, answer) => answer(null, call.request),
  Fail: (call, answer) => {
    const metadata = new grpc.Metadata();
    metadata.set('grpc-status-details-bin', encodeDetails(Number(call.request.toString())));
    answer({ code: grpc.status.NOT_FOUND, details: text, metadata });
  },
  Wait: (call) => call.on('cancelled', () => waits++),
  Waits: (call, answer) => answer(null, Buffer.from(String(waits))),
  Die: () => process.kill(process.pid, 'SIGKILL'),
  Spout: spout,
  Sum: (call, answer) => {
    let total = 0;
    call.on('data', (message) => { total += message.length; });
    call.on('end', () => answer(null, Buffer.from(String(total))));
  },
  Chat: (call) => {
    call.on('data', (message) => call.write(message));
    call.on('end', () => call.end());
  },
};

function serve() {
  const { Nothing, ...known } = description;
  const server = new grpc.Server(options);
  server.addService(known, service);
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (failure, port) => {
    if (failure) throw failure;
    console.log(port);
  });
  process.stdin.on('end', () => process.exit(0)).resume();
}

// --- client ---

const expect = (condition, what) => { if (!condition) throw new Error(what); };

class Client {
  constructor(address) {
    const Constructor = grpc.makeGenericClientConstructor(description, 'T');
    this.stub = new Constructor(address, grpc.credentials.createInsecure(), options);
  }

  unary(name, request, callOptions = {}, metadata = new grpc.Metadata()) {
    return new Promise((resolve, reject) => {
      this.stub[name](request, metadata, callOptions, (failure, response) => (failure ? reject(failure) : resolve(response)));
    });
  }

  async failure(name, request, callOptions) {
    try {
      await this.unary(name, request, callOptions);
    } catch (failure) {
      return failure;
    }
    throw new Error('it did not fail');
  }

  async echo(size) {
    const request = Buffer.alloc(size, 'e');
    expect(request.equals(await this.unary('Echo', request)), `${size} bytes came back as others`);
  }

  async readSpout(count, size) {
    let messages = 0;
    for await (const message of this.stub.Spout(Buffer.from(`${count} ${size}`))) {
      expect(message.length === size, `a message of ${message.length} bytes`);
      messages++;
    }
    expect(messages === count, `${messages} messages`);
  }

  async sum() {
    const total = await new Promise((resolve, reject) => {
      const call = this.stub.Sum((failure, response) => (failure ? reject(failure) : resolve(response)));
      for (let i = 0; i < 100; i++) call.write(Buffer.alloc(100000, 'e'));
      call.end();
    });
    expect(total.toString() === '10000000', `the sum is ${total}`);
  }

  async chat() {
    const call = this.stub.Chat();
    const messages = call[Symbol.asyncIterator]();
    for (let i = 0; i < 100; i++) {
      call.write(Buffer.alloc(i * 1000, 'e'));
      const { value } = await messages.next();
      expect(value.length === i * 1000, `${i * 1000} bytes came back as ${value.length}`);
    }
    call.end();
    expect((await messages.next()).done, 'there is more than was sent');
  }

  async details() {
    for (const size of [1, 2, 3000]) {
      const failure = await this.failure('Fail', Buffer.from(String(size)));
      const [details] = failure.metadata.get('grpc-status-details-bin');
      expect(failure.code === grpc.status.NOT_FOUND && failure.details === text, `status ${failure.code}: ${failure.details}`);
      expect(details && details.equals(encodeDetails(size)), 'wrong details');
    }
  }

  async expectCode(code, name, callOptions) {
    const failure = await this.failure(name, Buffer.alloc(0), callOptions);
    expect(failure.code === code, `status ${failure.code}: ${failure.details}`);
  }

  async waits() {
    return Number((await this.unary('Waits', Buffer.alloc(0))).toString());
  }

  async cancellation() {
    const before = await this.waits();
    const calls = [];
    for (let i = 0; i < 20; i++) calls.push(this.stub.Wait(Buffer.alloc(0), () => {}));
    await this.waits(); // what comes behind the others is answered: so they have arrived
    await sleep(300);
    for (const call of calls) call.cancel();
    let after = 0;
    for (let i = 0; i < 3000 && after < before + 20; i++) {
      await sleep(20);
      after = await this.waits();
    }
    expect(after >= before + 20, // the call of the deadline may count late
      `${after - before} of 20 were canceled`);
  }

  async manyAtOnce() {
    const caller = async () => { for (let i = 0; i < 5; i++) await this.echo(1000); };
    await Promise.all(Array.from({ length: 400 }, caller));
  }

  async stalledReader() {
    const call = this.stub.Spout(Buffer.from('1000 100000'));
    call.on('error', () => {});
    await sleep(100);
    await this.echo(6 << 20);
    call.cancel();
  }

  async hang() {
    for (let i = 0; i < 10; i++) this.stub.Wait(Buffer.alloc(0), () => {});
    this.stub.Sum(() => {}).write(Buffer.alloc(1000000, 'e'));
    await this.waits();
    await sleep(300);
    console.log('hanging');
    setInterval(() => {}, 1000);
  }
}

async function callAll(client) {
  const claims = {
    'small messages come back': async () => { for (const size of [0, 1, 70000]) await client.echo(size); },
    '6 MB come back': () => client.echo(6 << 20),
    '100 MB come back': () => client.echo(100 << 20),
    'a server may stream': async () => { await client.readSpout(1000, 10); await client.readSpout(10, 1000000); },
    'a client may stream': () => client.sum(),
    'both may stream': () => client.chat(),
    'a status has text and details': () => client.details(),
    'unknown methods are unimplemented': () => client.expectCode(grpc.status.UNIMPLEMENTED, 'Nothing'),
    'deadlines end calls': () => client.expectCode(grpc.status.DEADLINE_EXCEEDED, 'Wait', { deadline: Date.now() + 100 }),
    'cancellation reaches the handler': () => client.cancellation(),
    'hundreds of calls at once': () => client.manyAtOnce(),
    'a reader that stops disturbs nobody': () => client.stalledReader(),
  };
  let number = 0;
  for (const [name, check] of Object.entries(claims)) {
    number++;
    try {
      await check();
      console.log(`ok ${number} - ${name}`);
    } catch (failure) {
      console.log(`not ok ${number} - ${name}\n# ${failure.message}`);
    }
  }
  client.stub.close();
}

const [verb, address] = process.argv.slice(2);
if (verb === 'serve') serve();
else if (verb === 'call') callAll(new Client(address));
else if (verb === 'hang') new Client(address).hang();
else process.exitCode = 2;

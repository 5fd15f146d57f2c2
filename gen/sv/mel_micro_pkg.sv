// SPDX-License-Identifier: Apache-2.0
// mel_micro_pkg: the fields of a microword, their values, and the numbers of the program: pages, devices, jobs, entries.
// Contract: hw/micro/word.yaml and hw/micro/machine.yaml, nothing else.
// Generated from spec/ by `melanion gen`. Do not edit: change hw/micro/ or spec/ and run it again.
package mel_micro_pkg;

  // No single module uses every number.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned ProgramWords = 2048;
  localparam int unsigned LeanWords = 1024;   // words of units without objects to wait for

  typedef enum logic [2:0] {
    BranchNone = 3'd0,
    BranchAlways = 3'd1,
    BranchFlag = 3'd2,
    BranchNotFlag = 3'd3,
    BranchCarry = 3'd4,
    BranchNotCarry = 3'd5,
    BranchIdle = 3'd6,
    BranchCase = 3'd7
  } branch_e;

  typedef enum logic [3:0] {
    TestNone = 4'd0,
    TestZero = 4'd1,
    TestBit = 4'd2,
    TestWaiter = 4'd3,
    TestNoArgument = 4'd4,
    TestHeld = 4'd5,
    TestRuns = 4'd6,
    TestApart = 4'd7,
    TestKeeps = 4'd8,
    TestCaller = 4'd9,
    TestMayWait = 4'd10,
    TestBest = 4'd11,
    TestFirst = 4'd12,
    TestDevice = 4'd13,
    TestNothing = 4'd14,
    TestWait = 4'd15
  } test_e;

  typedef enum logic [1:0] {
    AFromFile = 2'd0,
    AFromMemory = 2'd1,
    AFromArgument = 2'd2,
    AFromDevice = 2'd3
  } a_from_e;

  typedef enum logic [1:0] {
    BFromFile = 2'd0,
    BFromConstant = 2'd1,
    BFromObject = 2'd2,
    BFromSubject = 2'd3
  } b_from_e;

  typedef enum logic [2:0] {
    AluAdd = 3'd0,
    AluSub = 3'd1,
    AluAnd = 3'd2,
    AluAndn = 3'd3,
    AluOr = 3'd4,
    AluXor = 3'd5,
    AluB = 3'd6,
    AluA = 3'd7
  } alu_e;

  typedef enum logic [2:0] {
    ReadBySubject = 3'd0,
    ReadByObject = 3'd1,
    ReadByImmediate = 3'd2,
    ReadByA = 3'd3,
    ReadByCaller = 3'd4,
    ReadByCore = 3'd5,
    ReadByMemory = 3'd6,
    ReadByMatched = 3'd7
  } read_by_e;

  typedef enum logic [2:0] {
    StoreBySubject = 3'd0,
    StoreByObject = 3'd1,
    StoreByImmediate = 3'd2,
    StoreByB = 3'd3,
    StoreByCaller = 3'd4,
    StoreByCore = 3'd5
  } store_by_e;

  typedef enum logic [3:0] {
    SubjectKeep = 4'd0,
    SubjectObject = 4'd1,
    SubjectRunning = 4'd2,
    SubjectTop = 4'd3,
    SubjectDue = 4'd4,
    SubjectA = 4'd5,
    SubjectFound = 4'd6,
    SubjectBest = 4'd7,
    SubjectFirst = 4'd8,
    SubjectMatched = 4'd9
  } subject_e;

  typedef enum logic [1:0] {
    ObjectKeep = 2'd0,
    ObjectMemory = 2'd1,
    ObjectA = 2'd2,
    ObjectTop = 2'd3
  } object_e;

  typedef enum logic [2:0] {
    WaitsNone = 3'd0,
    WaitsTail = 3'd1,
    WaitsHead = 3'd2,
    WaitsRemove = 3'd3,
    WaitsWalk = 3'd4,
    WaitsLook = 3'd5
  } waits_e;

  typedef enum logic [1:0] {
    WaitsKeyObject = 2'd0,
    WaitsKeyHeld = 2'd1,
    WaitsKeyMessages = 2'd2,
    WaitsKeyMemory = 2'd3
  } waits_key_e;

  typedef enum logic [1:0] {
    WaitsNodeSubject = 2'd0,
    WaitsNodeObject = 2'd1,
    WaitsNodeA = 2'd2,
    WaitsNodeTop = 2'd3
  } waits_node_e;

  typedef enum logic [1:0] {
    LevelMemory = 2'd0,
    LevelLoaded = 2'd1,
    LevelRunning = 2'd2,
    LevelBefore = 2'd3
  } level_e;

  typedef enum logic [2:0] {
    ReadyNone = 3'd0,
    ReadyTail = 3'd1,
    ReadyHead = 3'd2,
    ReadyRemove = 3'd3,
    ReadyFirst = 3'd6
  } ready_e;

  typedef enum logic [3:0] {
    ReportNone = 4'd0,
    ReportCommand = 4'd1,
    ReportOperand = 4'd2,
    ReportValue = 4'd3,
    ReportIrq = 4'd4,
    ReportTimeout = 4'd5,
    ReportRelease = 4'd6,
    ReportOrphan = 4'd7,
    ReportTurn = 4'd8,
    ReportSlice = 4'd9,
    ReportTick = 4'd10,
    ReportMiss = 4'd11,
    ReportInherit = 4'd12
  } report_e;

  // Pages of the state store.
  localparam logic [4:0] PageRegister = 5'd0;
  localparam logic [4:0] PageTask = 5'd1;
  localparam logic [4:0] PageSemaphore = 5'd2;
  localparam logic [4:0] PageIrq = 5'd3;
  localparam logic [4:0] PageFlags = 5'd4;
  localparam logic [4:0] PageQueue = 5'd5;
  localparam logic [4:0] PageMutex = 5'd6;
  localparam logic [4:0] PageTimer = 5'd7;
  localparam logic [4:0] PageMore = 5'd8;
  localparam logic [4:0] PageNotification = 5'd9;
  localparam logic [4:0] PageWord = 5'd10;
  localparam logic [4:0] PageSlice = 5'd11;
  localparam logic [4:0] PageSince = 5'd12;
  localparam logic [4:0] PageBudget = 5'd13;
  localparam logic [4:0] PageRun = 5'd14;
  localparam logic [4:0] PageIrqWord = 5'd15;
  localparam logic [4:0] PageOperand = 5'd16;
  localparam logic [4:0] PageOperandCore = 5'd17;
  localparam logic [4:0] PageValue = 5'd18;
  localparam logic [4:0] PageValueCore = 5'd19;
  localparam logic [4:0] PageLeast = 5'd20;
  localparam logic [4:0] PageCoreWord = 5'd21;
  localparam logic [4:0] PageQuantum = 5'd22;
  localparam logic [4:0] PageMessage = 5'd23;
  localparam logic [4:0] PageMessageNext = 5'd24;
  localparam logic [4:0] PageFlagsMore = 5'd25;
  localparam logic [4:0] PageCeiling = 5'd26;
  localparam logic [4:0] PagePeriod = 5'd27;
  localparam logic [4:0] PageSystem = 5'd28;
  localparam logic [4:0] PageMutexLevel = 5'd29;
  localparam logic [4:0] PageBase = 5'd30;
  localparam logic [4:0] PageMode = 5'd31;

  // Places in a page.
  localparam logic [7:0] IndexIdentity = 8'd0;
  localparam logic [7:0] IndexSpecHash = 8'd1;
  localparam logic [7:0] IndexParameterHash = 8'd2;
  localparam logic [7:0] IndexTimeLow = 8'd8;
  localparam logic [7:0] IndexTimeHigh = 8'd9;
  localparam logic [7:0] IndexTickCycles = 8'd10;
  localparam logic [7:0] IndexRefused = 8'd11;
  localparam logic [7:0] IndexLostIrqs = 8'd12;
  localparam logic [7:0] IndexMonitor = 8'd16;
  localparam logic [7:0] IndexMissedDeadlines = 8'd18;
  localparam logic [7:0] IndexBudgetOverruns = 8'd19;
  localparam logic [7:0] IndexReported = 8'd20;
  localparam logic [7:0] IndexLatency0 = 8'd32;
  localparam logic [7:0] IndexLatency1 = 8'd33;
  localparam logic [7:0] IndexLatency2 = 8'd34;
  localparam logic [7:0] IndexLatency3 = 8'd35;
  localparam logic [7:0] IndexLatency4 = 8'd36;
  localparam logic [7:0] IndexLatency5 = 8'd37;
  localparam logic [7:0] IndexLatency6 = 8'd38;
  localparam logic [7:0] IndexLatency7 = 8'd39;
  localparam logic [7:0] IndexLatency8 = 8'd40;
  localparam logic [7:0] IndexLatency9 = 8'd41;
  localparam logic [7:0] IndexLatency10 = 8'd42;
  localparam logic [7:0] IndexLatency11 = 8'd43;
  localparam logic [7:0] IndexLatency12 = 8'd44;
  localparam logic [7:0] IndexLatency13 = 8'd45;
  localparam logic [7:0] IndexLatency14 = 8'd46;
  localparam logic [7:0] IndexLatency15 = 8'd47;
  localparam logic [7:0] IndexClaimLimit = 8'd56;
  localparam logic [7:0] IndexClaimsLeft = 8'd57;
  localparam logic [7:0] IndexDrained = 8'd58;
  localparam logic [7:0] IndexEnded = 8'd59;
  localparam logic [7:0] IndexPurged = 8'd60;
  localparam logic [7:0] IndexScratch = 8'd61;
  localparam logic [7:0] IndexLostSeen = 8'd62;
  localparam logic [7:0] IndexWalkNext = 8'd63;
  localparam logic [7:0] IndexWalkFlags = 8'd24;
  localparam logic [7:0] IndexWalkTaken = 8'd25;
  localparam logic [7:0] IndexLinked = 8'd26;

  // Registers of the file.
  localparam logic [3:0] RegisterZero = 4'd0;
  localparam logic [3:0] RegisterNow = 4'd1;
  localparam logic [3:0] RegisterRoom = 4'd2;
  localparam logic [3:0] RegisterFree = 4'd3;
  localparam logic [3:0] RegisterLevels = 4'd4;
  localparam logic [3:0] RegisterAffinities = 4'd5;
  localparam logic [3:0] RegisterX = 4'd6;
  localparam logic [3:0] RegisterY = 4'd7;
  localparam logic [3:0] RegisterZ = 4'd8;
  localparam logic [3:0] RegisterU = 4'd9;
  localparam logic [3:0] RegisterV = 4'd10;
  localparam logic [3:0] RegisterW = 4'd11;
  localparam logic [3:0] RegisterP = 4'd12;
  localparam logic [3:0] RegisterQ = 4'd13;
  localparam logic [3:0] RegisterR = 4'd14;
  localparam logic [3:0] RegisterT = 4'd15;

  // Sizes of the unit, which it puts into `constant`.
  localparam logic [3:0] SizeMessages = 4'd1;
  localparam logic [3:0] SizePriorities = 4'd2;
  localparam logic [3:0] SizeAffinities = 4'd3;
  localparam logic [3:0] SizeTickMinimum = 4'd4;
  localparam logic [3:0] SizeTasks = 4'd5;
  localparam logic [3:0] SizeMonitor = 4'd6;
  localparam logic [3:0] SizeTimeLow = 4'd7;
  localparam logic [3:0] SizeTimeHigh = 4'd8;
  localparam logic [3:0] SizeSemaphores = 4'd9;
  localparam logic [3:0] SizeEventFlags = 4'd10;
  localparam logic [3:0] SizeQueues = 4'd11;
  localparam logic [3:0] SizeSpecHash = 4'd12;
  localparam logic [3:0] SizeParameterHash = 4'd13;

  // Operations of devices.
  localparam logic [5:0] DeviceNone = 6'd0;
  localparam logic [5:0] DeviceIrqEnable = 6'd1;
  localparam logic [5:0] DeviceIrqDisable = 6'd2;
  localparam logic [5:0] DeviceIrqRaise = 6'd3;
  localparam logic [5:0] DeviceIrqTake = 6'd4;
  localparam logic [5:0] DeviceIrqOffer = 6'd5;
  localparam logic [5:0] DeviceTickSet = 6'd6;
  localparam logic [5:0] DeviceIrqHold = 6'd7;
  localparam logic [5:0] DeviceJobStart = 6'd8;
  localparam logic [5:0] DeviceJobEnd = 6'd9;
  localparam logic [5:0] DevicePublish = 6'd11;
  localparam logic [5:0] DeviceExpiryArm = 6'd12;
  localparam logic [5:0] DeviceExpiryDrop = 6'd13;
  localparam logic [5:0] DeviceDeadlineArm = 6'd14;
  localparam logic [5:0] DeviceDeadlineDrop = 6'd15;
  localparam logic [5:0] DeviceTimerArm = 6'd16;
  localparam logic [5:0] DeviceTimerDrop = 6'd17;
  localparam logic [5:0] DeviceTimerNote = 6'd18;
  localparam logic [5:0] DeviceTimerUnnote = 6'd19;
  localparam logic [5:0] DeviceFoundTake = 6'd20;
  localparam logic [5:0] DeviceEnableDispatch = 6'd21;
  localparam logic [5:0] DeviceDisableDispatch = 6'd22;
  localparam logic [5:0] DeviceReclaim = 6'd23;
  localparam logic [5:0] DeviceKind = 6'd24;
  localparam logic [5:0] DeviceBudgetArm = 6'd25;
  localparam logic [5:0] DeviceBudgetDrop = 6'd26;
  localparam logic [5:0] DeviceBudgetEnded = 6'd27;
  localparam logic [5:0] DeviceClaimsSpent = 6'd28;
  localparam logic [5:0] DeviceClaimsFree = 6'd29;
  localparam logic [5:0] DeviceSliceSpent = 6'd30;
  localparam logic [5:0] DeviceLimitsUsed = 6'd33;
  localparam logic [5:0] DeviceCore = 6'd34;
  localparam logic [5:0] DeviceCoreOfSubject = 6'd35;
  localparam logic [5:0] DeviceMemoryReady = 6'd36;
  localparam logic [5:0] DeviceCoreNext = 6'd37;
  localparam logic [5:0] DeviceLinkLevel = 6'd40;
  localparam logic [5:0] DeviceSettled = 6'd38;
  localparam logic [5:0] DeviceUnsettled = 6'd39;
  localparam logic [5:0] DeviceFlagsScan = 6'd41;

  // What devices say: operand A.
  localparam logic [3:0] DeviceReadCycles = 4'd0;
  localparam logic [3:0] DeviceReadStamp = 4'd1;
  localparam logic [3:0] DeviceReadSince = 4'd2;
  localparam logic [3:0] DeviceReadSwapped = 4'd3;
  localparam logic [3:0] DeviceReadLost = 4'd4;
  localparam logic [3:0] DeviceReadMsb = 4'd5;
  localparam logic [3:0] DeviceReadFound = 4'd6;
  localparam logic [3:0] DeviceReadBefore = 4'd7;
  localparam logic [3:0] DeviceReadRefusal = 4'd7;
  localparam logic [3:0] DeviceReadRefused = 4'd8;
  localparam logic [3:0] DeviceReadRunning = 4'd9;
  localparam logic [3:0] DeviceReadTop = 4'd10;

  // Tests of devices: position.
  localparam logic [4:0] DeviceTestByIrq = 5'd0;
  localparam logic [4:0] DeviceTestInTask = 5'd1;
  localparam logic [4:0] DeviceTestFailed = 5'd2;
  localparam logic [4:0] DeviceTestOffered = 5'd3;
  localparam logic [4:0] DeviceTestTook = 5'd4;
  localparam logic [4:0] DeviceTestPreempted = 5'd5;
  localparam logic [4:0] DeviceTestChanged = 5'd6;
  localparam logic [4:0] DeviceTestCounted = 5'd7;
  localparam logic [4:0] DeviceTestNoted = 5'd8;
  localparam logic [4:0] DeviceTestOpen = 5'd9;
  localparam logic [4:0] DeviceTestTicksOn = 5'd10;
  localparam logic [4:0] DeviceTestLimits = 5'd11;
  localparam logic [4:0] DeviceTestDueList = 5'd12;
  localparam logic [4:0] DeviceTestWasValid = 5'd13;
  localparam logic [4:0] DeviceTestClaimed = 5'd14;
  localparam logic [4:0] DeviceTestCommand = 5'd15;
  localparam logic [4:0] DeviceTestQuery = 5'd16;
  localparam logic [4:0] DeviceTestMonitor = 5'd17;
  localparam logic [4:0] DeviceTestListed = 5'd18;
  localparam logic [4:0] DeviceTestDraining = 5'd19;
  localparam logic [4:0] DeviceTestOrphan = 5'd20;
  localparam logic [4:0] DeviceTestPurging = 5'd21;
  localparam logic [4:0] DeviceTestInHandler = 5'd22;
  localparam logic [4:0] DeviceTestGoesOn = 5'd23;
  localparam logic [4:0] DeviceTestHasTask = 5'd24;
  localparam logic [4:0] DeviceTestCounts = 5'd25;
  localparam logic [4:0] DeviceTestLastCore = 5'd26;
  localparam logic [4:0] DeviceTestHandler = 5'd27;
  localparam logic [4:0] DeviceTestAsked = 5'd28;
  localparam logic [4:0] DeviceTestHasTurn = 5'd29;
  localparam logic [4:0] DeviceTestMatched = 5'd30;
  localparam logic [4:0] DeviceTestMoreMatch = 5'd31;

  // Jobs of the background.
  localparam logic [7:0] JobTick = 8'd0;
  localparam logic [7:0] JobOver = 8'd1;
  localparam logic [7:0] JobTurn = 8'd2;
  localparam logic [7:0] JobSlice = 8'd3;
  localparam logic [7:0] JobWalk = 8'd4;
  localparam logic [7:0] JobLink = 8'd5;
  localparam logic [7:0] JobDue = 8'd6;
  localparam logic [7:0] JobFound = 8'd7;
  localparam logic [7:0] JobDrain = 8'd8;
  localparam logic [7:0] JobOrphan = 8'd9;
  localparam logic [7:0] JobPurge = 8'd10;

  // Addresses where steps begin.
  localparam logic [10:0] EntryIdle = 11'd1;
  localparam logic [10:0] EntryLoadPlain = 11'd3;
  localparam logic [10:0] EntryRefuse = 11'd4;
  localparam logic [10:0] EntryRefuseOther = 11'd6;
  localparam logic [10:0] EntryIrq = 11'd8;
  localparam logic [10:0] EntryIrqEnd = 11'd12;
  localparam logic [10:0] EntryInit = 11'd64;
  localparam logic [10:0] EntryJobs = 11'd16;
  localparam logic [10:0] EntryCommands = 11'd256;
  localparam logic [10:0] EntryMores = 11'd1024;
  localparam logic [10:0] EntryLoads = 11'd512;
  localparam logic [10:0] EntryStores = 11'd768;

  // A microword, most significant field first. What the fields mean: hw/micro/word.yaml.
  typedef struct packed {
    logic [31:0] constant;
    logic [10:0] next;
    branch_e     branch;
    logic        finish_to;
    logic        predicate;
    logic        annul;
    test_e       test;
    logic [4:0]  position;
    a_from_e     a_from;
    logic [3:0]  a;
    b_from_e     b_from;
    logic [3:0]  b;
    logic [7:0]  immediate;
    alu_e        alu;
    logic [3:0]  lanes;
    logic        write;
    logic [3:0]  target;
    logic        read;
    logic [4:0]  read_page;
    read_by_e    read_by;
    logic        store;
    logic [4:0]  store_page;
    store_by_e   store_by;
    subject_e    subject;
    object_e     object;
    logic        load_level;
    waits_e      waits;
    waits_key_e  waits_key;
    waits_node_e waits_node;
    level_e      level;
    ready_e      ready;
    logic        due;
    logic        unless_held;
    logic        note;
    logic        done;
    logic        status;
    report_e     report;
    logic [5:0]  device;
  } word_t;

  // verilator lint_on UNUSEDPARAM

endpackage
